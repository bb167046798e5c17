/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Tests our predictor: the daily pattern, and a margin that keeps the tolerated violation rate. */
class TimeOfDayPredictorTest {
  private static final int DAY = UseSample.PER_DAY;

  private final UsePredictor highest =
      new HighestPredictor(new NSigmaPredictor(), new ReservationPercentilePredictor());

  /** How often a predictor was too low after the first week, and the share that it kept. */
  private record Outcome(double violations, double kept) {}

  private static Outcome replay(UsePredictor predictor, int days, LongToDoubleFunction use) {
    int judged = 0;
    int violations = 0;
    double kept = 0;
    for (long i = 0; i < (long) days * DAY; i++) {
      UseSample sample = Machines.of(i, use.applyAsDouble(i));
      if (i >= 7 * DAY) {
        judged++;
        kept += predictor.keptShare();
        violations += sample.share() > predictor.keptShare() ? 1 : 0;
      }
      predictor.add(sample);
    }
    return new Outcome((double) violations / judged, kept / judged);
  }

  /** Half of everything in office hours, a backup at three, little otherwise, and noise of 1 %. */
  private static LongToDoubleFunction office() {
    Random random = new Random(1);
    return interval -> {
      long time = Math.floorMod(interval, DAY);
      double level = time >= 108 && time < 204 ? 5 : time >= 36 && time < 40 ? 7 : 1;
      return level + 0.1 * random.nextDouble();
    };
  }

  @Test
  void beforeTheDailyPeakItKeepsMoreThanBeside() {
    UsePredictor ours = new TimeOfDayPredictor();
    LongToDoubleFunction use = office();
    double atNight = 0;
    for (long i = 0; i < 10L * DAY + 36; i++) {
      ours.add(Machines.of(i, use.applyAsDouble(i)));
      if (i == 10L * DAY + 20) {
        atNight = ours.keptShare();
      }
    }
    assertThat(ours.keptShare()).as("the backup is about to begin").isGreaterThan(0.65);
    assertThat(atNight).isLessThan(0.2);
  }

  @Test
  void ofADailyPatternItLeavesMuchMoreThanTheMaximumPredictorAtNoMoreViolations() {
    Outcome ours = replay(new TimeOfDayPredictor(), 28, office());
    Outcome peers = replay(highest, 28, office());
    assertThat(ours.violations()).isLessThanOrEqualTo(Math.max(0.002, peers.violations()));
    assertThat(1 - ours.kept()).isGreaterThan(1.2 * (1 - peers.kept()));
  }

  @Test
  void theRateOfViolationsIsAboutTheToleratedOneWhereNothingRepeats() {
    for (double tolerated : new double[] {0.005, 0.05}) {
      Random random = new Random(2);
      double[] walk = {5};
      Outcome outcome =
          replay(
              new TimeOfDayPredictor(tolerated),
              60,
              interval ->
                  walk[0] = Math.max(1, Math.min(9, walk[0] + 0.1 * random.nextGaussian())));
      assertThat(outcome.violations()).isBetween(tolerated / 2, tolerated * 2);
    }
  }

  @Test
  void aHigherToleranceGivesMore() {
    Outcome careful = replay(new TimeOfDayPredictor(0.001), 28, office());
    Outcome bold = replay(new TimeOfDayPredictor(0.05), 28, office());
    assertThat(bold.kept()).isLessThan(careful.kept());
  }

  @Test
  void aGapOfDaysOnlyMakesItForget() {
    UsePredictor ours = new TimeOfDayPredictor();
    LongToDoubleFunction use = office();
    for (long i = 0; i < 8L * DAY; i++) {
      ours.add(Machines.of(i, use.applyAsDouble(i)));
    }
    ours.add(Machines.of(100L * DAY, 1));
    assertThat(ours.keptShare()).isBetween(0.1, 1.0);
    ours.add(Machines.of(-5, 1));
    assertThat(ours.keptShare()).as("a clock that steps back").isBetween(0.1, 1.0);
  }
}
