/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MeasurementsTest {
  private final Measurements measurements = new Measurements();

  @Test
  void oneMeasurementOfEachModeIsCompared() {
    DemoRunResult alone = add(DemoMode.ALONE, 0, 0.1, 0.1);
    DemoRunResult stock = add(DemoMode.STOCK_YARN, 8, 0.1, 0.1);
    DemoRunResult charon = add(DemoMode.CHARON, 24, 0.1, 0.1);

    assertThat(measurements.compared()).containsExactly(alone, stock, charon);
    assertThat(measurements.discarded()).isEmpty();
    assertThat(measurements.repeated()).isZero();
  }

  @Test
  void theModeInWhichTheMachineChangedItsPaceMostIsMeasuredAgain() {
    add(DemoMode.ALONE, 0, 0.064, 0.065);
    DemoRunResult stock = add(DemoMode.STOCK_YARN, 8, 0.064, 0.080);
    add(DemoMode.CHARON, 24, 0.070, 0.066);

    assertThat(measurements.leastSteady()).isEqualTo(stock);
  }

  @Test
  void aMachineThatHasAnotherPaceInAnotherModeKeepsIt() {
    add(DemoMode.ALONE, 0, 0.064, 0.064);
    add(DemoMode.CHARON, 24, 0.080, 0.080);

    assertThat(measurements.leastSteady().paceError()).isZero();
  }

  @Test
  void theMeasurementOfTheSteadiestPaceIsCompared() {
    DemoRunResult alone = add(DemoMode.ALONE, 0, 0.064, 0.065);
    DemoRunResult unsteady = add(DemoMode.STOCK_YARN, 12, 0.064, 0.080);
    DemoRunResult charon = add(DemoMode.CHARON, 24, 0.066, 0.066);
    DemoRunResult stock = add(DemoMode.STOCK_YARN, 8, 0.070, 0.071);

    assertThat(measurements.compared()).containsExactly(alone, stock, charon);
    assertThat(measurements.discarded()).containsExactly(unsteady);
    assertThat(measurements.repeated()).isEqualTo(1);
  }

  @Test
  void aLaterMeasurementIsNotPreferred() {
    DemoRunResult alone = add(DemoMode.ALONE, 0, 0.064, 0.064);
    DemoRunResult stock = add(DemoMode.STOCK_YARN, 8, 0.066, 0.068);
    DemoRunResult less = add(DemoMode.STOCK_YARN, 9, 0.066, 0.069);

    assertThat(measurements.compared()).containsExactly(alone, stock);
    assertThat(measurements.discarded()).containsExactly(less);
  }

  @Test
  void whatHappenedBesideBestEffortDoesNotMatter() {
    DemoRunResult slowed = Results.run(DemoMode.CHARON, 2, 0.064, 0.2);
    measurements.add(slowed);
    measurements.add(Results.run(DemoMode.CHARON, 40, 0.066, 0.066, 0.067));

    assertThat(measurements.compared()).containsExactly(slowed);
  }

  @Test
  void productionThatFailedIsMeasuredAgain() {
    DemoRunResult failed = add(DemoMode.CHARON, 24, Double.NaN, 0.066);
    add(DemoMode.ALONE, 0, 0.066, 0.080);

    assertThat(measurements.leastSteady()).isEqualTo(failed);

    DemoRunResult charon = add(DemoMode.CHARON, 24, 0.066, 0.070);

    assertThat(measurements.compared()).contains(charon);
  }

  @Test
  void aWrongResultOfADiscardedMeasurementFailsTheRun() {
    DemoRunResult wrong = Results.withOutputProblem(Results.run(DemoMode.CHARON, 24));
    DemoResult right =
        Results.of(
            Results.run(DemoMode.ALONE, 0),
            Results.run(DemoMode.STOCK_YARN, 8),
            Results.run(DemoMode.CHARON, 24));

    DemoResult result =
        new DemoResult(right.modes(), List.of(wrong), right.plan(), "3.4.2", "default", 1);

    assertThat(right.outcome()).isEqualTo(DemoOutcome.PASSED);
    assertThat(result.outcome()).isEqualTo(DemoOutcome.FAILED);
    assertThat(result.outputsAreRight()).isFalse();
  }

  private DemoRunResult add(DemoMode mode, int tasks, double beforeSeconds, double afterSeconds) {
    DemoRunResult result =
        Results.run(mode, tasks, beforeSeconds, (beforeSeconds + afterSeconds) / 2, afterSeconds);
    measurements.add(result);
    return result;
  }
}
