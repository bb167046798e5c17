/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ProcessNamesTest {
  private static final long RUNNING = ProcessHandle.current().pid();

  private final long ended = EndedProcess.id();

  ProcessNamesTest() throws IOException, InterruptedException {}

  @Test
  void whatAnEndedProcessCreatedIsALeftover() {
    assertThat(ProcessNames.isLeftover("charon-demo-" + ended)).isTrue();
    assertThat(ProcessNames.isLeftover("charon-cluster-" + ended + "-daemons")).isTrue();
  }

  @Test
  @Tag("must-never")
  void nothingElseIsALeftover() {
    assertThat(ProcessNames.isLeftover("charon-demo-" + RUNNING)).isFalse();
    assertThat(ProcessNames.isLeftover("charon-demo-x")).isFalse();
    assertThat(ProcessNames.isLeftover("charon-demo-99999999999")).isFalse();
    assertThat(ProcessNames.isLeftover("charon")).isFalse();
    assertThat(ProcessNames.isLeftover("demo-" + ended)).isFalse();
  }
}
