/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.evaluation.killer.Report;
import java.util.List;
import org.junit.jupiter.api.Test;

class BurstBenchTest {
  @Test
  void allVariantsHaveTheSameShareAndTheBurstsOfTheLaw() {
    for (BurstVariant variant : BurstVariant.values()) {
      variant
          .bandwidth()
          .ifPresent(has -> assertThat(has.cores()).as(variant.label()).isEqualTo(0.2));
    }
    assertThat(BurstVariant.USUAL.bandwidth()).contains(new Bandwidth(20_000, 100_000, 20_000));
    assertThat(BurstVariant.HALF_SECOND.bandwidth())
        .contains(new Bandwidth(100_000, 500_000, 100_000));
    assertThat(BurstVariant.SECOND.bandwidth())
        .contains(new Bandwidth(200_000, 1_000_000, 200_000));
  }

  @Test
  void burstsAreThoseOfTheSeedAndNeedLessThanTheQuota() {
    assertThat(BurstSchedule.of(7, 100)).isEqualTo(BurstSchedule.of(7, 100));
    List<BurstSchedule.Burst> many = BurstSchedule.of(1, 25);
    double work = many.stream().mapToLong(BurstSchedule.Burst::workNanos).sum();
    double length = many.get(many.size() - 1).arrivalNanos();
    assertThat(work / length).isCloseTo(0.12, within(0.001));
    for (int i = 1; i < many.size(); i++) {
      BurstSchedule.Burst burst = many.get(i);
      assertThat(burst.idealNanos() - burst.workNanos())
          .as("it begins when it is there, and nobody else is")
          .isEqualTo(Math.max(burst.arrivalNanos(), many.get(i - 1).idealNanos()));
    }
  }

  private static Report report(VariantResult... variants) {
    return BurstReport.of(
        new BurstResult(new BurstOptions(2, 1, 1), List.of(variants), "6.18", 1, 2, 100));
  }

  @Test
  void everyVariantIsComparedWithNone() {
    Report report =
        report(
            new VariantResult(BurstVariant.NONE, List.of(100.0, 300.0), 1000),
            new VariantResult(BurstVariant.HALF_SECOND, List.of(10.0), 20)
                .and(new VariantResult(BurstVariant.HALF_SECOND, List.of(30.0), 30)));
    assertThat(report.rows())
        .containsExactly(
            List.of("none", "200.0", "1.000", "300.0", "1.000", "300.0", "1000", "1.000"),
            List.of("bucket, 500 ms", "20.0", "0.100", "30.0", "0.100", "30.0", "50", "0.050"));
    assertThat(report.json().path("variants").path(1).path("meanToNone").asDouble()).isEqualTo(0.1);
    assertThat(report.json().path("variants").path(1).path("periodMicros").asLong())
        .isEqualTo(500_000);
  }

  @Test
  void withoutNoneThereIsNoRatio() {
    Report report = report(new VariantResult(BurstVariant.UNLIMITED, List.of(1.0, 2.0), 0));
    assertThat(report.rows().get(0)).contains("-");
    assertThat(report.json().path("variants").path(0).path("meanToNone").isNull()).isTrue();
    assertThat(report.json().path("variants").path(0).has("quotaMicros")).isFalse();
  }
}
