/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class KillMeasurementTest {
  private static final long MILLISECOND = Measurements.MILLISECOND;

  @Test
  void countsFromOnsetDecisionAndSignal() {
    KillMeasurement one =
        KillMeasurement.of(
            "v",
            200,
            OptionalLong.of(1000 * MILLISECOND),
            new KillTimes(1500 * MILLISECOND, OptionalLong.of(1502 * MILLISECOND)),
            1530 * MILLISECOND,
            OptionalLong.of(1522 * MILLISECOND));
    assertThat(one.onsetToDecision()).hasValue(500);
    assertThat(one.decisionToLastSignal()).hasValue(2);
    assertThat(one.decisionToGone()).hasValue(30);
    assertThat(one.decisionToFreed()).hasValue(22);
    assertThat(one.signalToFreed()).hasValue(20);
  }

  @Test
  void aSignalWasSentBeforeItsEffect() {
    KillMeasurement one =
        KillMeasurement.of(
            "v",
            50,
            OptionalLong.of(0),
            new KillTimes(500 * MILLISECOND, OptionalLong.of(540 * MILLISECOND)),
            520 * MILLISECOND,
            OptionalLong.of(515 * MILLISECOND));
    assertThat(one.decisionToLastSignal()).hasValue(15);
    assertThat(one.signalToFreed()).hasValue(0);
  }

  @Test
  void memoryThatNobodySawFreedWasInUseAsLongAsTheObserverLooked() {
    KillMeasurement one =
        KillMeasurement.of(
            "linux-oom",
            50,
            OptionalLong.of(0),
            new KillTimes(500 * MILLISECOND, OptionalLong.empty()),
            520 * MILLISECOND,
            OptionalLong.empty());
    assertThat(one.decisionToLastSignal()).isEmpty();
    assertThat(one.decisionToFreed()).hasValue(2020);
    assertThat(one.signalToFreed()).hasValue(2020);
    assertThat(one.unfreed()).isTrue();
    assertThat(one.decisionToGone()).hasValue(20);
  }

  @Test
  void aDecisionBeforeTheOnsetIsStillAKill() {
    KillMeasurement one =
        KillMeasurement.of(
            "v",
            50,
            OptionalLong.empty(),
            new KillTimes(500 * MILLISECOND, OptionalLong.of(501 * MILLISECOND)),
            520 * MILLISECOND,
            OptionalLong.of(515 * MILLISECOND));
    assertThat(one.end()).isEqualTo(KillMeasurement.End.KILLED);
    assertThat(one.onsetToDecision()).isEmpty();
    assertThat(one.decisionToFreed()).hasValue(15);
  }
}
