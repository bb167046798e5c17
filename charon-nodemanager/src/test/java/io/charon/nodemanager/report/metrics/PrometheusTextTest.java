/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {
  @Test
  void aCounterHasItsMeaningItsTypeAndItsValue() throws IOException {
    assertThat(text(new MetricFamily(NodeMetric.LAUNCHED, List.of(Sample.of("", "", "", 3)))))
        .isEqualTo(
            """
            # HELP charon_launched_containers_total Best-effort containers that were started
            # TYPE charon_launched_containers_total counter
            charon_launched_containers_total 3
            """);
  }

  @Test
  void labelsCannotBreakOutOfTheirQuotes() throws IOException {
    Sample nasty = new Sample("", Map.of("killer", "a\"} 1\nb\\"), 1);

    assertThat(text(new MetricFamily(NodeMetric.KILLS, List.of(nasty))))
        .endsWith("charon_kills_total{killer=\"a\\\"} 1\\nb\\\\\"} 1\n")
        .hasLineCount(3);
  }

  @Test
  void numbersHaveNoExponent() {
    assertThat(PlainNumber.of(0)).isEqualTo("0");
    assertThat(PlainNumber.of(-0.0)).isEqualTo("0");
    assertThat(PlainNumber.of(0.0001)).isEqualTo("0.0001");
    assertThat(PlainNumber.of(1L << 50)).isEqualTo("1125899906842624");
    assertThat(PlainNumber.of(1e9)).isEqualTo("1000000000");
    assertThat(PlainNumber.of(-2.5)).isEqualTo("-2.5");
    assertThat(PlainNumber.of(Double.POSITIVE_INFINITY)).isEqualTo("+Inf");
    assertThat(PlainNumber.of(Double.NEGATIVE_INFINITY)).isEqualTo("-Inf");
    assertThat(PlainNumber.of(Double.NaN)).isEqualTo("NaN");
  }

  @Test
  void aHistogramHasCumulativeBucketsASumAndACount() throws IOException {
    NodeMetrics metrics = new NodeMetrics();
    metrics.killSignal("kernel").update(400, TimeUnit.MICROSECONDS);
    metrics.killSignal("kernel").update(30, TimeUnit.SECONDS);

    assertThat(text(metrics.read()))
        .contains(
            """
            # TYPE charon_kill_decision_to_signal_seconds histogram
            charon_kill_decision_to_signal_seconds_bucket{killer="kernel",le="0.0001"} 0
            charon_kill_decision_to_signal_seconds_bucket{killer="kernel",le="0.0005"} 1
            """)
        .contains(
            """
            charon_kill_decision_to_signal_seconds_bucket{killer="kernel",le="10"} 1
            charon_kill_decision_to_signal_seconds_bucket{killer="kernel",le="+Inf"} 2
            charon_kill_decision_to_signal_seconds_sum{killer="kernel"} 30.0004
            charon_kill_decision_to_signal_seconds_count{killer="kernel"} 2
            charon_kill_decision_to_signal_seconds_bucket{killer="user_space",le="0.0001"} 0
            """);
  }

  @Test
  void everyFamilyIsAnnouncedOnceAndEveryLineIsWellFormed() throws IOException {
    List<String> lines = text(new NodeMetrics().read()).lines().toList();

    assertThat(lines.stream().filter(line -> line.startsWith("# TYPE "))).doesNotHaveDuplicates();
    assertThat(lines)
        .allMatch(
            line ->
                line.matches("# (HELP|TYPE) charon_[a-z_]+ .+")
                    || line.matches(
                        "charon_[a-z_]+(\\{[a-z]+=\"[^\"]+\"(,le=\"[^\"]+\")?}"
                            + "|\\{le=\"[^\"]+\"})? -?[0-9.]+"));
  }

  private static String text(MetricFamily family) throws IOException {
    return text(List.of(family));
  }

  private static String text(List<MetricFamily> families) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrometheusText text = new PrometheusText(() -> families);
    text.write(out);
    assertThat(text.contentType()).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
    return out.toString(StandardCharsets.UTF_8);
  }
}
