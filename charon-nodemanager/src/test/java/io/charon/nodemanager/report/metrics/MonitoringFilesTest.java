/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that dashboard and alerts use only metrics that exist. */
class MonitoringFilesTest {
  private static final Pattern NAME = Pattern.compile("\\bcharon_[a-z_]+");

  @ParameterizedTest
  @ValueSource(strings = {"grafana/charon.json", "prometheus/charon-alerts.yml"})
  void everyMetricIsOneOfTheNodes(String file) throws IOException {
    Set<String> known =
        Metric.all().stream().flatMap(MonitoringFilesTest::names).collect(Collectors.toSet());
    String text = Files.readString(Path.of("..", "conf").resolve(file));

    assertThat(NAME.matcher(text).results().map(MatchResult::group)).isNotEmpty().isSubsetOf(known);
  }

  private static Stream<String> names(Metric metric) {
    String name = metric.prometheusName();
    return metric.type() == Metric.Type.HISTOGRAM
        ? Stream.of(name + "_bucket", name + "_sum", name + "_count")
        : Stream.of(name);
  }
}
