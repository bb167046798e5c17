/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Tests the predictors of EuroSys'21 on numbers computed by hand. */
class PeersPredictorsTest {
  private final NSigmaPredictor nSigma = new NSigmaPredictor();
  private final ReservationPercentilePredictor percentile = new ReservationPercentilePredictor();

  @Test
  void beforeAnythingIsKnownEverythingIsKept() {
    assertThat(nSigma.keptShare()).isEqualTo(1);
    assertThat(percentile.keptShare()).isEqualTo(1);
    assertThat(new TimeOfDayPredictor().keptShare()).isEqualTo(1);
    nSigma.add(Machines.of(0, 1));
    assertThat(nSigma.keptShare()).isEqualTo(1);
  }

  @Test
  void nSigmaIsTheMeanAndFiveDeviationsOfTwoHours() {
    for (int i = 0; i < 100; i++) {
      nSigma.add(Machines.of(i, 9.9, 9.9));
    }
    for (int i = 0; i < 24; i++) {
      nSigma.add(Machines.of(100 + i, i % 2 == 0 ? 1 : 2, 3));
    }
    // Shares alternate between 0.2 and 0.25 of the 20 reserved: deviation 0.025 * sqrt(24 / 23).
    assertThat(nSigma.keptShare())
        .isCloseTo(0.225 + 5 * 0.025 * Math.sqrt(24.0 / 23), within(1e-12));
  }

  @Test
  void thePercentileIsOfEachContainerOverADay() {
    for (int i = 0; i < 288; i++) {
      // The 99th percentile excludes the two largest of 288 samples, but not the third.
      percentile.add(Machines.of(i, i < 2 ? 9 : 3, i < 3 ? 8 : 2));
    }
    assertThat(percentile.keptShare()).isEqualTo((3 + 8) / 20.0);
    percentile.add(Machines.of(288, 3, 2));
    assertThat(percentile.keptShare()).as("the oldest sample is gone").isEqualTo((3 + 2) / 20.0);
  }

  @Test
  void aNewContainerKeepsItsCacheAndAnEndedOneIsForgotten() {
    for (int i = 0; i < 24; i++) {
      percentile.add(Machines.of(i, 2));
    }
    percentile.add(Machines.of(24, 2, 1));
    assertThat(percentile.keptShare()).isEqualTo((2 + 10) / 20.0);
    percentile.add(Machines.of(25));
    percentile.add(Machines.of(26, 2));
    assertThat(percentile.keptShare()).as("another container of that name").isEqualTo(1);
  }

  @Test
  void theMaximumIsTheLargerOfBoth() {
    UsePredictor highest = new HighestPredictor(nSigma, percentile);
    for (int i = 0; i < 288; i++) {
      highest.add(Machines.of(i, i < 100 ? 8 : 1));
    }
    assertThat(nSigma.keptShare()).isCloseTo(0.1, within(1e-12));
    assertThat(highest.keptShare()).isEqualTo(0.8);
  }

  @Test
  void valuesOutOfTheirRangesAreRefused() {
    assertThatThrownBy(() -> new NSigmaPredictor(-1, 24)).hasMessageContaining("-1.0");
    assertThatThrownBy(() -> new NSigmaPredictor(5, 1)).hasMessageContaining("at least 2");
    assertThatThrownBy(() -> new ReservationPercentilePredictor(99)).hasMessageContaining("99.0");
    assertThatThrownBy(() -> new TimeOfDayPredictor(0)).hasMessageContaining("above 0");
    assertThatThrownBy(() -> new ContainerUse("c", -1, 1)).hasMessageContaining("use");
    assertThatThrownBy(() -> new ContainerUse("c", 1, 0)).hasMessageContaining("request");
  }

  @Property
  void theSlidingPercentileIsThatOfTheNewest(
      @ForAll @Size(min = 1, max = 60) List<@IntRange(max = 9) Integer> values,
      @ForAll @IntRange(min = 1, max = 20) int window,
      @ForAll @DoubleRange(max = 1) double share) {
    SlidingPercentile sliding = new SlidingPercentile(window);
    values.forEach(sliding::add);
    double[] newest =
        values.subList(Math.max(0, values.size() - window), values.size()).stream()
            .mapToDouble(Integer::doubleValue)
            .sorted()
            .toArray();
    double found = sliding.at(share);
    assertThat(Arrays.stream(newest).filter(value -> value <= found).count())
        .isGreaterThanOrEqualTo((long) Math.floor(share * newest.length));
    assertThat(Arrays.stream(newest).filter(value -> value < found).count())
        .isLessThanOrEqualTo((long) Math.ceil(share * newest.length));
    assertThat(newest).contains(found);
  }

  @Property(tries = 200)
  void allKeepAShareAndTheMaximumIsAtLeastEach(
      @ForAll @Size(min = 1, max = 400) List<@DoubleRange(max = 30) Double> uses) {
    UsePredictor ours = new TimeOfDayPredictor();
    UsePredictor highest =
        new HighestPredictor(new NSigmaPredictor(), new ReservationPercentilePredictor());
    NSigmaPredictor sigma = new NSigmaPredictor();
    ReservationPercentilePredictor day = new ReservationPercentilePredictor();
    for (int i = 0; i < uses.size(); i++) {
      UseSample sample = Machines.of(i, uses.get(i), 5);
      List.of(ours, highest, sigma, day).forEach(predictor -> predictor.add(sample));
      assertThat(ours.keptShare()).isBetween(0.0, 1.0);
      assertThat(highest.keptShare()).isEqualTo(Math.max(sigma.keptShare(), day.keptShare()));
      assertThat(highest.keptShare()).isBetween(0.0, 1.0);
    }
  }
}
