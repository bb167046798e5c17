/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.evaluation.killer.Report;
import io.charon.evaluation.machine.BenchMachine;
import io.charon.nodemanager.cgroup.ContainerClass;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class LaunchReportTest {
  private static LaunchSeries series(int rounds, DoubleUnaryOperator charonOfUsual) {
    LaunchSeries series = new LaunchSeries(LaunchExecutor.DEFAULT, ContainerClass.BEST_EFFORT);
    Random random = new Random(7);
    for (int round = 0; round < rounds; round++) {
      double mood = 10 * random.nextDouble();
      series.add(
          Map.of(
              LaunchVariant.STOCK, 40 + mood + random.nextDouble(),
              LaunchVariant.STOCK_AGAIN, 40 + mood + random.nextDouble(),
              LaunchVariant.CHARON, charonOfUsual.applyAsDouble(40 + mood + random.nextDouble())));
      series.addStart(true);
    }
    return series;
  }

  private static Report report(LaunchSeries series) {
    return LaunchReport.of(
        new LaunchResult(
            List.of(series),
            new LaunchOptions(
                List.of(LaunchExecutor.DEFAULT),
                List.of(ContainerClass.BEST_EFFORT),
                series.rounds(),
                Path.of("/program")),
            false,
            new BenchMachine("6.1", 2, 4, 0.5),
            0,
            60));
  }

  private static List<Boolean> met(Report report) {
    return report.json().path("targets").findValues("met").stream()
        .map(JsonNode::asBoolean)
        .toList();
  }

  @Test
  void equalTimesMeetAllTargets() {
    Report report = report(series(400, usual -> usual));

    assertThat(met(report)).containsExactly(true, true, true);
    assertThat(report.ok()).isTrue();
    JsonNode one = report.json().path("series").path(0);
    assertThat(one.path("moreMillis").path("median").asDouble()).isCloseTo(0, within(0.2));
    assertThat(one.path("p99SpreadMillis").asDouble()).isBetween(0.01, 1.0);
  }

  @Test
  void threeMillisecondsMoreAreSeenDespiteTenMillisecondsOfNoise() {
    JsonNode more =
        report(series(400, usual -> usual + 3)).json().path("series").path(0).path("moreMillis");

    assertThat(more.path("median").asDouble()).isCloseTo(3, within(0.1));
    assertThat(more.path("high95").asDouble() - more.path("low95").asDouble()).isBetween(0.01, 0.3);
  }

  @Test
  void aTargetForTheMedianIsMetOnlyByTheWholeInterval() {
    assertThat(met(report(series(400, usual -> usual + 4.8))).get(1)).isTrue();
    assertThat(met(report(series(400, usual -> usual + 4.99))).get(1)).isFalse();
    assertThat(report(series(400, usual -> usual + 6)).ok()).isFalse();
  }

  @Test
  void twoSlowLaunchesInAHundredMissOnlyTheTargetForTheTail() {
    int[] round = {0};
    Report late = report(series(400, usual -> round[0]++ % 50 == 0 ? usual + 40 : usual));

    assertThat(met(late)).containsExactly(true, true, false);
    assertThat(late.ok()).isFalse();
  }

  @Test
  void oneContainerOutsideItsCgroupIsAFailure() {
    LaunchSeries few = series(3, usual -> usual + 100);
    assertThat(report(few).ok()).as("three say nothing about times").isTrue();

    few.addStart(false);

    assertThat(met(report(few))).containsExactly(false);
    assertThat(report(few).ok()).isFalse();
    assertThat(report(few).rows().get(0)).endsWith("1 of 4");
  }

  @Test
  void withoutMeasurementsNoTargetIsMet() {
    assertThat(report(series(0, usual -> usual)).ok()).isFalse();
  }

  @Test
  void anIntervalLiesBetweenTheOrderedDifferences() {
    List<Double> values = new Random(3).doubles(100).boxed().toList();
    MedianEstimate estimate =
        MedianEstimate.ofDifferences(values, values.stream().map(unused -> 0.0).toList());
    List<Double> sorted = values.stream().sorted().toList();
    // Ranks 40 and 61 of 100: Campbell and Gardner 1988, table of confidence intervals for medians.
    assertThat(estimate.low95()).isEqualTo(sorted.get(39));
    assertThat(estimate.high95()).isEqualTo(sorted.get(60));
    assertThat(MedianEstimate.ofDifferences(List.of(3.0), List.of(1.0)))
        .isEqualTo(new MedianEstimate(2, 2, 2));
  }
}
