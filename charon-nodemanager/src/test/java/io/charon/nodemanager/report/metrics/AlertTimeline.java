/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A series of real metrics pages over time, and the alerts of conf/prometheus that Prometheus
 * derives from it. {@code promtool test rules} simulates the time; the values come from the node.
 */
public final class AlertTimeline {
  private static final Path ALERTS =
      Path.of("..", "conf", "prometheus", "charon-alerts.yml").toAbsolutePath().normalize();

  private final Promtool promtool;
  private final int secondsBetween;
  private final List<Map<String, String>> scrapes = new ArrayList<>();

  /**
   * Creates an empty timeline; skips the test if promtool is not installed.
   *
   * @param directory directory for promtool's files
   * @param between time between two scrapes
   */
  public AlertTimeline(Path directory, Duration between) {
    this.promtool = new Promtool(directory);
    this.secondsBetween = (int) between.toSeconds();
  }

  /** Scrapes the page once. */
  public AlertTimeline scrape(PrometheusText page) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      page.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> values = new LinkedHashMap<>();
    bytes
        .toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(
            line -> {
              int end = line.lastIndexOf(' ');
              values.put(line.substring(0, end), line.substring(end + 1));
            });
    scrapes.add(values);
    return this;
  }

  /** Repeats the last scrape for the given time, so that nothing changes meanwhile. */
  public AlertTimeline holdFor(Duration time) {
    for (long left = time.toSeconds() / secondsBetween; left > 0; left--) {
      scrapes.add(scrapes.get(scrapes.size() - 1));
    }
    return this;
  }

  /** Asserts that no alert fires at the last scrape. */
  public AlertTimeline assertQuiet() {
    run("ALERTS{alertstate=\"firing\"}", "[]");
    return this;
  }

  /** Asserts that these alerts fire at the last scrape; others may fire as well. */
  public AlertTimeline assertFires(String... alerts) {
    for (String alert : alerts) {
      run(
          "count by (alertname) (ALERTS{alertstate=\"firing\", alertname=\"" + alert + "\"})",
          "[{labels: '{alertname=\"" + alert + "\"}', value: 1}]");
    }
    return this;
  }

  private void run(String expression, String expected) {
    StringBuilder test =
        new StringBuilder("rule_files: ['" + ALERTS + "']\nevaluation_interval: 15s\ntests:\n")
            .append("  - interval: " + secondsBetween + "s\n    input_series:\n");
    scrapes.stream()
        .flatMap(values -> values.keySet().stream())
        .distinct()
        .forEach(
            series ->
                test.append("      - series: '" + labelled(series) + "'\n        values: ")
                    .append(values(series) + "\n"));
    test.append("    promql_expr_test:\n      - expr: '" + expression + "'\n")
        .append("        eval_time: " + (scrapes.size() - 1) * secondsBetween + "s\n")
        .append("        exp_samples: " + expected + "\n");
    String unused = promtool.pass(test.toString());
  }

  /** Adds the labels that Prometheus adds. */
  private static String labelled(String series) {
    String added = "job=\"charon\",instance=\"node\"";
    return series.endsWith("}")
        ? series.replace("{", "{" + added + ",")
        : series + "{" + added + "}";
  }

  private String values(String series) {
    List<String> values = scrapes.stream().map(scrape -> scrape.getOrDefault(series, "_")).toList();
    return String.join(" ", values);
  }
}
