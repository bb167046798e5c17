/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryDirectoryTest {
  private static final Path DIRECTORY = Path.of("/tmp/charon-bench-4711-17");
  private static final String OURS =
      "charon-bench /tmp/charon-bench-4711-17 tmpfs rw,relatime,size=323584k,mode=700 0 0";

  @Test
  void theMountOfABenchmarkIsKnown() {
    assertThat(MemoryDirectory.isCreatedHere(DIRECTORY, List.of("proc /proc proc rw 0 0", OURS)))
        .isTrue();
  }

  @ParameterizedTest
  @Tag("must-never")
  @ValueSource(
      strings = {
        "charon-bench /tmp/charon-bench-4711-171 tmpfs rw 0 0",
        "charon-bench /tmp/charon-bench-4711-17/below tmpfs rw 0 0",
        "charon-bench /tmp tmpfs rw 0 0",
        "tmpfs /tmp/charon-bench-4711-17 tmpfs rw 0 0",
        "charon-bench /tmp/charon-bench-4711-17 ext4 rw 0 0",
        "/dev/vdb /tmp/charon-bench-4711-17 ext4 rw 0 0",
      })
  void noOtherMountIsTakenForOne(String other) {
    assertThat(MemoryDirectory.isCreatedHere(DIRECTORY, List.of(other))).isFalse();
  }

  @Test
  @Tag("must-never")
  void whatIsMountedAboveItIsNot() {
    assertThat(
            MemoryDirectory.isCreatedHere(
                DIRECTORY, List.of(OURS, "/dev/vdb /tmp/charon-bench-4711-17 ext4 rw 0 0")))
        .isFalse();
  }
}
