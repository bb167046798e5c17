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
 * What a real page of metrics said, laid out in time, and what Prometheus makes of it with the
 * alerts of conf/prometheus. Waiting is left to {@code promtool test rules}; the numbers are the
 * node's.
 */
public final class AlertTimeline {
  private static final Path ALERTS =
      Path.of("..", "conf", "prometheus", "charon-alerts.yml").toAbsolutePath().normalize();

  private final Promtool promtool;
  private final int secondsBetween;
  private final List<Map<String, String>> scrapes = new ArrayList<>();

  /**
   * An empty timeline; skips the test where promtool is not installed.
   *
   * @param directory for promtool's files
   * @param between two scrapes
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

  /** The last scrape says what all do until then: nothing changes meanwhile. */
  public AlertTimeline holdFor(Duration time) {
    for (long left = time.toSeconds() / secondsBetween; left > 0; left--) {
      scrapes.add(scrapes.get(scrapes.size() - 1));
    }
    return this;
  }

  /** Nothing fires at the last scrape. */
  public AlertTimeline assertQuiet() {
    run("ALERTS{alertstate=\"firing\"}", "[]");
    return this;
  }

  /** These fire at the last scrape, whatever else does. */
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

  /** With the labels that Prometheus adds. */
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
