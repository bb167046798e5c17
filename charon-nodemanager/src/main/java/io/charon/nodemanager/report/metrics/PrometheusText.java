/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The metrics of a node in Prometheus's text format 0.0.4, with their values at the time of each
 * call. Thread-safe.
 */
public final class PrometheusText {
  private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final Supplier<List<MetricFamily>> metrics;

  /**
   * Creates a writer.
   *
   * @param metrics reads the current metrics
   */
  public PrometheusText(Supplier<List<MetricFamily>> metrics) {
    this.metrics = metrics;
  }

  /** Returns the required value of the header {@code Content-Type}. */
  public String contentType() {
    return CONTENT_TYPE;
  }

  /**
   * Writes all metrics; does not close the stream.
   *
   * @throws IOException if the stream cannot be written
   */
  public void write(OutputStream out) throws IOException {
    StringBuilder text = new StringBuilder();
    metrics.get().forEach(family -> append(text, family));
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void append(StringBuilder text, MetricFamily family) {
    Metric metric = family.metric();
    String name = metric.prometheusName();
    text.append("# HELP ").append(name).append(' ').append(escaped(metric.meaning())).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(metric.type().word()).append('\n');
    for (Sample sample : family.samples()) {
      text.append(name).append(sample.suffix());
      append(text, sample.labels());
      text.append(' ').append(PlainNumber.of(sample.value())).append('\n');
    }
  }

  private static void append(StringBuilder text, Map<String, String> labels) {
    char separator = '{';
    for (Map.Entry<String, String> label : labels.entrySet()) {
      text.append(separator).append(label.getKey()).append("=\"");
      text.append(escaped(label.getValue()).replace("\"", "\\\"")).append('"');
      separator = ',';
    }
    if (!labels.isEmpty()) {
      text.append('}');
    }
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n");
  }
}
