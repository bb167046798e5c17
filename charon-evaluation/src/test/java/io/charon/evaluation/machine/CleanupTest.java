/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CleanupTest {
  @Test
  void undoesEverythingOnceLastThingFirst() {
    List<String> undone = new ArrayList<>();
    Cleanup cleanup = new Cleanup();
    cleanup.add(() -> undone.add("first"));
    cleanup.add(
        () -> {
          throw new IOException("expected by this test");
        });
    cleanup.add(() -> undone.add("last"));
    cleanup.close();
    cleanup.close();
    assertThat(undone).containsExactly("last", "first");
  }
}
