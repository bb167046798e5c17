/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.eviction.PressureRule.MemoryPressure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryPressureSensorTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path proc;
  private MemoryPressureSensor sensor;

  @BeforeEach
  void open() {
    sensor = new MemoryPressureSensor(proc);
  }

  private void holds(String content) throws IOException {
    Files.createDirectories(proc.resolve("pressure"));
    Files.writeString(proc.resolve("pressure/memory"), content);
  }

  @Test
  void theTimeThatSomeProcessWaitedInTheLastTenSeconds() throws IOException {
    holds(
        """
        some avg10=5.07 avg60=1.00 avg300=0.00 total=7000000
        full avg10=99.00 avg60=0.00 avg300=0.00 total=1
        """);
    assertThat(sensor.read(0)).contains(new MemoryPressure(5.07, OptionalDouble.empty()));
    assertThat(sensor.unavailable()).isEmpty();
    holds("some avg10=100.00 avg60=1.00 total=7500000");
    assertThat(sensor.read(2 * SECOND)).contains(new MemoryPressure(100, OptionalDouble.of(25)));
    holds("some avg10=7 total=7500000");
    assertThat(sensor.read(3 * SECOND)).contains(new MemoryPressure(7, OptionalDouble.of(0)));
    holds("some avg10=7. total=8500000");
    assertThat(sensor.read(4 * SECOND)).contains(new MemoryPressure(7, OptionalDouble.of(100)));
  }

  @Test
  void aKernelWithoutItOrWithSomethingElseThereSaysSo() throws IOException {
    assertThat(sensor.read(0)).isEmpty();
    assertThat(sensor.unavailable().orElseThrow()).contains("psi=1", "pressure/memory");
    holds("");
    assertThat(sensor.read(1)).isEmpty();
    holds("full avg10=3.00 total=9\n");
    assertThat(sensor.read(2)).isEmpty();
    holds("some avg10=3.00\n");
    assertThat(sensor.read(3)).isEmpty();
    holds("some avg10=-1.00 total=9\n");
    assertThat(sensor.unavailable()).isPresent();
  }
}
