/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.evaluation.killer.Report;
import io.charon.evaluation.machine.BenchMachine;
import io.charon.sls.burst.QuotaVariant;
import java.util.List;
import org.junit.jupiter.api.Test;

class BurstBenchTest {
  private static final long SECOND = 1_000_000_000;

  private static BurstOptions options(int applications) {
    return new BurstOptions(List.of(0.45), applications, 60, 5, 60, 2, 1, 0.45);
  }

  @Test
  void allQuotasTogetherAreThePoolUnlessOneThreadWouldNotFillThem() {
    assertThat(options(20).share(2)).isEqualTo(new Bandwidth(10_000, 100_000, 0));
    assertThat(options(20).share(64)).isEqualTo(new Bandwidth(25_000, 100_000, 0));
    assertThat(BurstOptions.meanWorkNanos(options(20).share(2))).isEqualTo(4e6);
  }

  @Test
  void theMeansAreAboutTheLoadAndBelowTheQuota() {
    BurstOptions many = options(10_000);
    Bandwidth share = new Bandwidth(10_000, 100_000, 0);
    List<Double> means = many.means(0.45, share, 0);
    assertThat(means)
        .isEqualTo(many.means(0.45, share, 0))
        .isNotEqualTo(many.means(0.45, share, 1));
    assertThat(means.stream().mapToDouble(Double::doubleValue).average().orElseThrow())
        .isCloseTo(0.045, within(0.001));
    assertThat(many.means(0.9, share, 0))
        .allSatisfy(mean -> assertThat(mean).isBetween(0.005, 0.095));
  }

  @Test
  void theMeasuredBurstsDependOnTheSeedAndNotOnTheTimeBefore() {
    List<BurstSchedule.Burst> soon =
        BurstSchedule.of(7, 100_000_000, 4_000_000, 5 * SECOND, 105 * SECOND);
    List<BurstSchedule.Burst> late =
        BurstSchedule.of(7, 100_000_000, 4_000_000, 60 * SECOND, 160 * SECOND);
    assertThat(counting(soon, 5)).isEqualTo(counting(late, 60)).hasSizeBetween(800, 1200);
    double work = soon.stream().mapToLong(BurstSchedule.Burst::workNanos).average().orElseThrow();
    assertThat(work).isCloseTo(4e6, within(4e5));
    for (int i = 1; i < soon.size(); i++) {
      BurstSchedule.Burst burst = soon.get(i);
      assertThat(burst.idealNanos() - burst.workNanos())
          .as("it begins when it is there, and nobody else is")
          .isEqualTo(Math.max(burst.arrivalNanos(), soon.get(i - 1).idealNanos()));
    }
  }

  private static List<List<Long>> counting(List<BurstSchedule.Burst> bursts, long fromSeconds) {
    return bursts.stream()
        .filter(burst -> burst.arrivalNanos() >= fromSeconds * SECOND)
        .map(burst -> List.of(burst.arrivalNanos() - fromSeconds * SECOND, burst.workNanos()))
        .toList();
  }

  @Test
  void aWorkerUnderstandsItsOrder() {
    BurstWorker.Order order = new BurstWorker.Order(-7, 1, 2, 3, 4, 5);
    assertThat(BurstWorker.Order.parse(order.line())).isEqualTo(order);
  }

  private static BurstCell cell(
      QuotaVariant variant, boolean again, double highest, double... late) {
    return new BurstCell(
        0.45,
        variant,
        again,
        List.of(List.of(late[0], late[1]), List.of()),
        0.4,
        highest,
        0.5,
        0.125);
  }

  private static Report report(BurstCell... cells) {
    return BurstReport.of(
        new BurstResult(
            options(2),
            List.of(cells),
            new Bandwidth(10_000, 100_000, 0),
            new BenchMachine("6.18", 1, 2, 0.1),
            100));
  }

  @Test
  void everyVariantIsComparedWithNoneAndNoneWithItself() {
    Report report =
        report(
            cell(QuotaVariant.UNLIMITED, false, 0.63, 0, 2),
            cell(QuotaVariant.HALF_SECOND, false, 0.62, 1, 11),
            cell(QuotaVariant.NONE, false, 0.60, 20, 82),
            cell(QuotaVariant.NONE, true, 0.61, 20, 92.2));
    assertThat(report.rows())
        .containsExactly(
            List.of(
                "45 %", "none", "51.00", "0.0 %", "82.0", "82", "60.0", "+0.0", "50.0", "12.50"),
            List.of(
                "45 %",
                "none again", "56.10", "-10.2 %", "92.2", "92", "61.0", "+1.0", "50.0", "12.50"),
            List.of(
                "45 %",
                "bucket, 500 ms", "6.00", "90.0 %", "11.0", "11", "62.0", "+2.0", "50.0", "12.50"),
            List.of(
                "45 %",
                "unlimited", "1.00", "100.0 %", "2.0", "2", "63.0", "+3.0", "50.0", "12.50"));
    assertThat(report.remarks())
        .contains("A/A at 45 %: none again is +10.0 % late against none, its U_max +1.0 points.");
    JsonNode json = report.json().path("rows").path(2);
    assertThat(json.path("variant").asText()).isEqualTo("bucket, 500 ms");
    assertThat(json.path("saved").asDouble()).isCloseTo(0.9, within(1e-9));
    assertThat(json.path("meanLateMillis").path(0).asDouble()).isEqualTo(6);
  }

  @Test
  void repetitionsHaveASpread() {
    Report report =
        report(
            cell(QuotaVariant.NONE, false, 0.6, 10, 30),
            cell(QuotaVariant.NONE, false, 0.6, 20, 40));
    assertThat(report.rows().get(0).get(2)).startsWith("25.00 +-");
    assertThat(report.json().path("rows").path(0).path("meanLateMillis")).hasSize(2);
  }

  @Test
  void withoutNoneOrUnlimitedNothingIsSaved() {
    Report report = report(cell(QuotaVariant.SHARED_POOL, false, 0.6, 1, 2));
    assertThat(report.rows().get(0).subList(0, 4))
        .containsExactly("45 %", "shared pool (AIMD)", "1.50", "-");
    assertThat(report.json().path("rows").path(0).path("saved").isNull()).isTrue();
  }
}
