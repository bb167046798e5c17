/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.nodemanager.Await;
import io.charon.nodemanager.cgroup.FakeMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunnableThreadsSensorTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  @TempDir private Path root;
  private FakeMachine machine;
  private RunnableThreadsSensor sensor;

  @BeforeEach
  void createMachine() {
    machine = FakeMachine.v2(root);
    sensor = new RunnableThreadsSensor(root.resolve("proc"));
  }

  @Test
  void theFirstReadingIsItsOwnMeanWithoutTheReader() {
    runnable(9);
    assertThat(sensor.read(0)).hasValue(2);
  }

  @Test
  void anIdleMachineHasNone() {
    runnable(1);
    assertThat(sensor.read(0)).hasValue(0);
    runnable(0);
    assertThat(sensor.read(SECOND)).as("in a container the reader may not count").hasValue(0);
  }

  @Test
  void aReadingLosesTwoThirdsOfItsWeightInTenSeconds() {
    runnable(1 + 4 * 10);
    sensor.read(0);
    runnable(1);
    assertThat(sensor.read(10 * SECOND).orElseThrow()).isBetween(3.6, 3.7);
    assertThat(sensor.read(10 * SECOND).orElseThrow()).as("no time passed").isBetween(3.6, 3.7);
    assertThat(sensor.read(100 * SECOND).orElseThrow()).isLessThan(0.01);
  }

  @Test
  void aBurstOfOneReadingHardlyMovesTheMean() {
    runnable(1);
    sensor.read(0);
    runnable(1 + 4 * 10);
    assertThat(sensor.read(SECOND).orElseThrow()).isBetween(0.9, 1.0);
  }

  @Test
  void withoutAReadingNothingIsKnownAndTheOldMeanIsForgotten() {
    runnable(41);
    sensor.read(0);
    machine.file("proc/stat", "cpu0 1 1 1 1 1 1 1\n");
    assertThat(sensor.read(SECOND)).isEqualTo(OptionalDouble.empty());
    machine.file("proc/stat", "procs_running 9\n");
    assertThat(sensor.read(2 * SECOND)).as("no CPU").isEqualTo(OptionalDouble.empty());
    runnable(5);
    assertThat(sensor.read(3 * SECOND)).hasValue(1);
  }

  @Test
  void theKernelCountsThreadsThatWantToRun() throws Exception {
    RunnableThreadsSensor real = new RunnableThreadsSensor(Path.of("/proc"));
    AtomicBoolean end = new AtomicBoolean();
    int perCore = 4;
    for (long i = perCore * cores(); i > 0; i--) {
      Thread spinning = new Thread(() -> spin(end));
      spinning.setDaemon(true);
      spinning.start();
    }
    try {
      long hour = Duration.ofHours(1).toNanos();
      AtomicLong nanos = new AtomicLong();
      // The clock runs so fast that each reading counts alone.
      Await.await(() -> real.read(nanos.addAndGet(hour)).orElseThrow() >= perCore - 1);
    } finally {
      end.set(true);
    }
  }

  private static long cores() throws IOException {
    return Files.readAllLines(Path.of("/proc/stat")).stream()
        .filter(line -> line.matches("cpu\\d+ .*"))
        .count();
  }

  private static void spin(AtomicBoolean end) {
    while (!end.get()) {
      Thread.onSpinWait();
    }
  }

  /** Four CPUs, one of which is offline in between. */
  private void runnable(int threads) {
    String cpu = " 1 1 1 1 1 1 1\n";
    machine.file(
        "proc/stat",
        "cpu"
            + cpu
            + "cpu0"
            + cpu
            + "cpu1"
            + cpu
            + "cpu3"
            + cpu
            + "cpu4"
            + cpu
            + "intr 1\nctxt 1\nprocs_running "
            + threads
            + "\nprocs_blocked 7\n");
  }
}
