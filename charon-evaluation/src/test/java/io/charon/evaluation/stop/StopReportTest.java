/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.stop;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.killer.Report;
import io.charon.evaluation.stop.StopResult.StopTime;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StopReportTest {
  private static Report report(double... lastOnTheNode) {
    List<StopTime> times =
        Stream.concat(
                Arrays.stream(lastOnTheNode)
                    .mapToObj(last -> new StopTime(StopScope.NODE, 0.25, last)),
                Stream.of(new StopTime(StopScope.CLUSTER, 0.05, 4.5)))
            .toList();
    return StopReport.of(new StopResult(times, 0.5, 60));
  }

  @Test
  void showsMedianAndMaximumOfEachScope() {
    Report report = report(0, 0.2, 0.6);
    assertThat(report.rows())
        .containsExactly(
            List.of("node", "3", "0.25", "0.25", "0.20", "0.60"),
            List.of("cluster", "1", "0.05", "0.05", "4.50", "4.50"));
    assertThat(report.ok()).isTrue();
    assertThat(report.json().at("/scopes/0/lastLaunchSeconds").toString())
        .isEqualTo("[0.0,0.2,0.6]");
  }

  @Test
  void oneLateLaunchMissesTheTarget() {
    Report report = report(0, 0, 1.01);
    assertThat(report.ok()).isFalse();
    assertThat(report.remarks())
        .contains(
            "NOT MET  node: no launch later than 1 s after the order: last one after 1.01 s, of 3"
                + " orders",
            "met      cluster: no launch later than 6 s after the order: last one after 4.50 s, of"
                + " 1 orders");
  }

  @Test
  void nothingMeasuredIsNoSuccess() {
    assertThat(StopReport.of(new StopResult(List.of(), 0.5, 60)).ok()).isFalse();
  }
}
