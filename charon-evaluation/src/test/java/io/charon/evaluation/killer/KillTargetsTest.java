/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class KillTargetsTest {
  private static final List<String> VARIANTS =
      List.of(KillVariants.IN_KERNEL, KillVariants.IN_KERNEL_WITH_REAPER, KillVariants.JVM);

  private static List<Boolean> met(List<KillMeasurement> all) {
    return Measurements.result(VARIANTS, all).targets().stream().map(Target::met).toList();
  }

  private static List<KillMeasurement> run(double kernel, double jvm, double freed) {
    List<KillMeasurement> all = new ArrayList<>();
    all.addAll(Measurements.kills(KillVariants.IN_KERNEL, 50, 3, kernel, 30));
    all.addAll(Measurements.kills(KillVariants.IN_KERNEL_WITH_REAPER, 50, 3, 0, freed));
    all.addAll(Measurements.kills(KillVariants.JVM, 50, 3, jvm, 200));
    return all;
  }

  @Test
  void allAreMetAtTheirLimits() {
    assertThat(met(run(1.0, 100.0, 10))).containsExactly(true, true, true, true);
  }

  @Test
  void eachFailsByItself() {
    assertThat(met(run(1.1, 120.0, 10))).containsExactly(false, true, true, true);
    assertThat(met(run(1.0, 99.0, 10))).containsExactly(true, false, true, true);
    assertThat(met(run(1.0, 100.0, 10.5))).containsExactly(true, true, false, false);
  }

  @Test
  void oneSlowKillFailsTheTailButNotTheMedian() {
    List<KillMeasurement> all = run(1.0, 100.0, 5);
    all.add(Measurements.kill(KillVariants.IN_KERNEL_WITH_REAPER, 50, 0, 40));
    assertThat(met(all)).containsExactly(true, true, true, false);
  }

  @Test
  void killsThatFreeNothingAreTheSlowestOnes() {
    List<KillMeasurement> all = run(1.0, 100.0, 5);
    all.add(Measurements.unfreed(KillVariants.IN_KERNEL_WITH_REAPER, 50));
    assertThat(met(all)).containsExactly(true, true, true, false);
    all.addAll(
        Collections.nCopies(3, Measurements.unfreed(KillVariants.IN_KERNEL_WITH_REAPER, 50)));
    assertThat(met(all)).containsExactly(true, true, false, false);
  }

  @Test
  void withFewKillsItSaysThatTheMaximumWasJudged() {
    assertThat(Measurements.result(VARIANTS, run(0.5, 100, 5)).targets().get(0).line())
        .startsWith("met ")
        .contains("maximum, 0.500 ms", "3 kills are too few for a p99");
  }

  @Test
  void withTwoHundredKillsOneOutlierDoesNotFailTheP99() {
    List<KillMeasurement> all =
        new ArrayList<>(Measurements.kills(KillVariants.IN_KERNEL, 50, 200, 0.5, 30));
    all.add(Measurements.kill(KillVariants.IN_KERNEL, 50, 9, 30));
    Target target = Measurements.result(VARIANTS, all).targets().get(0);
    assertThat(target.met()).isTrue();
    assertThat(target.measured()).isEqualTo("p99 0.500 ms of 201 kills");
  }

  @Test
  void aKillerThatKilledNothingMeetsNothing() {
    List<KillMeasurement> all =
        List.of(
            KillMeasurement.without(KillVariants.IN_KERNEL, 50, KillMeasurement.End.NOT_KILLED));
    assertThat(met(all)).containsOnly(false);
  }
}
