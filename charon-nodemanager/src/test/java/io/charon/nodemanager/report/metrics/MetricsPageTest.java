/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.nodemanager.EveryPart;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that the table of docs/metrics.md matches {@link Metric} and the quantities that
 * mechanisms report. {@code -Dcharon.metrics.page=write} generates it.
 */
class MetricsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "metrics.md");
  private static final String BEGIN = "<!-- begin of the generated table -->\n";
  private static final String END = "<!-- end of the generated table -->\n";

  @TempDir private Path proc;
  private Set<String> registered;

  @Test
  void thePageHasEveryMetricAsTheCodeHasIt() throws Exception {
    registered = EveryPart.metrics(proc);
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    assertThat(page).contains(BEGIN, END);
    if (System.getProperty("charon.metrics.page", "").equals("write")) {
      Files.writeString(PAGE, page.substring(0, begin) + table() + page.substring(end));
      return;
    }
    assertThat(page.substring(begin, end))
        .as(PAGE + " is not what the code says; -Dcharon.metrics.page=write makes it anew")
        .isEqualTo(table());
  }

  private String table() {
    return "| metric, and its JMX name if different | type, unit | meaning | use |\n"
        + "|---|---|---|---|\n"
        + Metric.all().stream().map(this::row).collect(Collectors.joining());
  }

  private String row(Metric metric) {
    return "| `%s`%s | %s, %s | %s%s | %s |\n"
        .formatted(
            metric.prometheusName(),
            jmx(metric),
            metric.type().word(),
            metric.unit(),
            metric.meaning(),
            labels(metric) + bounds(metric),
            metric.use());
  }

  private static String jmx(Metric metric) {
    String first = isOfMechanisms(metric) ? "any" : metric.labelValues().get(0);
    String name = metric.jmxName(first);
    if (!metric.labelKey().isEmpty()) {
      name = name.replaceFirst("_" + first + "_", "_{" + metric.labelKey() + "}_");
    }
    return name.equals(metric.prometheusName()) ? "" : "; `" + name + "`";
  }

  private static boolean isOfMechanisms(Metric metric) {
    return metric.labelKey().equals("regulator");
  }

  private String labels(Metric metric) {
    return metric.labelKey().isEmpty()
        ? ""
        : ". Label `%s`: %s".formatted(metric.labelKey(), String.join(", ", values(metric)));
  }

  /**
   * Returns the values of a metric's label; those of mechanisms come from the node's own metrics.
   */
  private List<String> values(Metric metric) {
    if (!isOfMechanisms(metric)) {
      return metric.labelValues();
    }
    Pattern name = Pattern.compile(metric.jmxName("any").replace("_any_", "_([a-z_]+)_"));
    return registered.stream()
        .map(name::matcher)
        .filter(Matcher::matches)
        .map(matcher -> matcher.group(1))
        .sorted()
        .toList();
  }

  private static String bounds(Metric metric) {
    double[] bounds = metric.definition().buckets().bounds();
    if (bounds.length == 0) {
      return "";
    }
    boolean bytes = metric.unit().equals("bytes");
    String list =
        IntStream.range(0, bounds.length)
            .mapToObj(
                i ->
                    bytes
                        ? String.format(Locale.ROOT, "%.0f MiB", bounds[i] / (1 << 20))
                        : PlainNumber.of(bounds[i]))
            .collect(Collectors.joining(", "));
    return ". Buckets up to " + list;
  }
}
