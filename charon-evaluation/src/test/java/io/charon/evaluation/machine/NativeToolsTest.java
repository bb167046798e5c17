/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeToolsTest {
  @Test
  void missingProgramsAreExplained(@TempDir Path directory) {
    assertThatThrownBy(() -> NativeTools.of(directory))
        .hasMessageContaining("kernel-ua-killer/install-packages.sh")
        .hasMessageContaining("make -C kernel-ua-killer/src/main/native");
  }
}
