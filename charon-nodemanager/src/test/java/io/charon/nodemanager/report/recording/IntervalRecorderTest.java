/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.charon.core.mechanism.CoreUse;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.ResourceUse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IntervalRecorderTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final Measurement NONE = Measurement.missing("a test");

  private final List<Recorded> lines = new ArrayList<>();
  private Optional<NodeReading> last = Optional.empty();
  private IntervalRecorder recorder = withTick(Duration.ofSeconds(1));

  private IntervalRecorder withTick(Duration tick) {
    return new IntervalRecorder(
        () -> last, lines::add, Clock.fixed(Instant.ofEpochMilli(1_000_000), ZoneOffset.UTC), tick);
  }

  private void tick(
      long nanos, Measurement production, double bestEffort, Measurement ratio, Measurement psi) {
    ResourceUse nothing = ResourceUse.missing("a test");
    last =
        Optional.of(
            new NodeReading(
                nanos,
                "production",
                nothing,
                new ResourceUse(production, Measurement.of(bestEffort), Measurement.of(8)),
                CoreUse.missing("a test"),
                nothing,
                new NodeReading.Health(psi, NONE, ratio),
                NONE));
    recorder.tick();
  }

  private void tick(long second, double production, double ratio) {
    tick(second * SECOND, Measurement.of(production), 0.5, Measurement.of(ratio), NONE);
  }

  private Recorded.SideBySide only() {
    assertThat(lines).hasSize(1);
    return (Recorded.SideBySide) lines.get(0);
  }

  /** One core at 2 instructions per cycle and three at 1 give 5 instructions in 4 cycles. */
  @Test
  void cyclesAndInstructionsAreSummedNotTheirRatios() {
    for (int second = 0; second <= 30; second++) {
      tick(second, second % 2 == 0 ? 1 : 3, second % 2 == 0 ? 2 : 1);
    }
    Recorded.SideBySide line = only();
    assertThat(line.seconds()).isEqualTo(30);
    assertThat(line.productionCores()).isCloseTo(2, within(1e-9));
    assertThat(line.bestEffortCores()).isCloseTo(0.5, within(1e-9));
    assertThat(line.cyclesPerInstruction()).isCloseTo(4.0 / 5, within(1e-9));
    assertThat(line.pressure()).isNull();
    assertThat(line.wallMillis()).isEqualTo(1_000_000);
    assertThat(line.nanos()).isEqualTo(30 * SECOND);
  }

  @Test
  void whatIsReadForHalfOfTheTimeCountsAndLessDoesNot() {
    for (int second = 0; second <= 30; second++) {
      tick(
          second * SECOND,
          Measurement.of(1),
          0,
          second > 16 ? NONE : Measurement.of(2),
          second > 14 ? NONE : Measurement.of(0.25));
    }
    assertThat(only().cyclesPerInstruction()).isCloseTo(0.5, within(1e-9));
    assertThat(only().pressure()).isNull();
  }

  @Test
  void anIntervalWithAHoleIsBegunAnew() {
    for (int second = 0; second <= 20; second++) {
      tick(second, 1, 1);
    }
    for (int second = 27; second <= 56; second++) {
      tick(second, 1, 1);
    }
    assertThat(lines).as("29 s since the hole").isEmpty();
    tick(57, 1, 1);
    assertThat(only().seconds()).isEqualTo(30);
    lines.clear();
    tick(58, 1, 1);
    tick(59 * SECOND, NONE, 0, NONE, NONE);
    for (int second = 60; second <= 88; second++) {
      tick(second, 1, 1);
    }
    assertThat(lines).as("the use was not read at 59 s").isEmpty();
    tick(89, 1, 1);
    assertThat(lines).hasSize(1);
  }

  @Test
  void aTickOfMoreThanFiveSecondsIsNoHole() {
    recorder = withTick(Duration.ofSeconds(20));
    tick(0, 1, 1);
    tick(21, 1, 1);
    assertThat(lines).isEmpty();
    tick(40, 1, 1);
    assertThat(only().seconds()).isEqualTo(40);
    lines.clear();
    tick(81, 1, 1);
    tick(102, 1, 1);
    assertThat(lines).as("41 s without a reading are a hole").isEmpty();
  }

  @Test
  void aReadingThatIsStillTheSameCountsOnceAndAClockThatStepsBackDoesNoHarm() {
    recorder.tick();
    for (int second = 0; second <= 29; second++) {
      tick(second, 1, 1);
      recorder.tick();
    }
    assertThat(lines).isEmpty();
    tick(1, 1, 1);
    tick(0, 1, 0);
    assertThat(lines).isEmpty();
  }

  @Test
  void withoutASingleInstructionThereIsNoRatio() {
    for (int second = 0; second <= 30; second++) {
      tick(second, 0, 0);
    }
    assertThat(only().cyclesPerInstruction()).isNull();
  }
}
