/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgramsTest {
  private static final Duration SHORT = Duration.ofSeconds(2);

  /** An argument by which processes of this test are recognized. */
  private static final String HANGING = "607." + ProcessHandle.current().pid();

  @Test
  void returnsWhatAProgramPrintsHoweverMuch() throws Exception {
    assertThat(Programs.run(List.of("sh", "-c", "echo said; echo complained >&2")))
        .isEqualTo("said\ncomplained\n");
    assertThat(Programs.run(List.of("head", "-c", "300000", "/dev/zero"))).hasSize(300_000);
  }

  @Test
  void oneThatFailsIsNamedWithItsOutput() {
    assertThatThrownBy(() -> Programs.run(List.of("sh", "-c", "echo complained; exit 3")))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("ended with exit code 3: complained");
  }

  @Test
  void oneThatHangsIsKilledWithItsChildrenAndNamedWithTheLimit() throws Exception {
    assertThatThrownBy(
            () ->
                Programs.run(
                    List.of("sh", "-c", "sleep %1$s & sleep %1$s; echo".formatted(HANGING)), SHORT))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("sleep " + HANGING)
        .hasMessageContaining("did not end within 2 s");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (ProcessHandle.allProcesses().anyMatch(ProgramsTest::isHanging)) {
      assertThat(System.nanoTime()).as("all are killed").isLessThan(end);
      Thread.sleep(20);
    }
  }

  @Test
  void oneThatLeavesAProcessWithItsOutputBehindIsNoHang() {
    assertThatThrownBy(() -> Programs.run(List.of("sh", "-c", "sleep 8 & sleep 0.3"), SHORT))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("still holds its output");
  }

  @Test
  void whatIsKilledHasEnded() throws Exception {
    Process process = new ProcessBuilder("sleep", "600").start();

    Programs.kill(process, "the sleeper");

    assertThat(process.isAlive()).isFalse();
  }

  private static boolean isHanging(ProcessHandle process) {
    return process.isAlive() && process.info().commandLine().orElse("").contains(HANGING);
  }
}
