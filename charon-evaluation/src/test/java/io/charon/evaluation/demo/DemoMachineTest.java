/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DemoMachineTest {
  private static final long ENOUGH = 64L << 30;
  private static final Path DIRECTORY = Path.of("/scratch");

  @Test
  void aFullDiskIsNamedWithWhatHelps() {
    assertThatThrownBy(() -> check(2, OptionalLong.of(ENOUGH), 100L << 20))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/scratch has 100 MiB left")
        .hasMessageContaining("java.io.tmpdir");
  }

  @Test
  void tooLittleMemoryIsNamedWithWhatHelps() {
    assertThatThrownBy(() -> check(2, OptionalLong.of(1L << 30), ENOUGH))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("1024 MiB of memory are available")
        .hasMessageContaining("--node-memory-mb");
  }

  @Test
  void oneProcessorIsARemark() throws IOException {
    assertThat(new DemoMachine(1, OptionalLong.empty(), DIRECTORY, ENOUGH).check(Results.PLAN))
        .singleElement()
        .asString()
        .contains("one processor");
  }

  @Test
  void nothingIsSaidOfAMachineThatSuffices() throws IOException {
    assertThat(new DemoMachine(2, OptionalLong.of(ENOUGH), DIRECTORY, ENOUGH).check(Results.PLAN))
        .isEmpty();
  }

  @Test
  void thisMachineIsRead() throws IOException {
    DemoMachine machine = DemoMachine.ofThis();
    assertThat(machine.processors()).isPositive();
    assertThat(machine.availableBytes().orElseThrow()).isPositive();
    assertThat(machine.usableBytes()).isPositive();
  }

  private static void check(int processors, OptionalLong available, long usable)
      throws IOException {
    new DemoMachine(processors, available, DIRECTORY, usable).check(Results.PLAN);
  }
}
