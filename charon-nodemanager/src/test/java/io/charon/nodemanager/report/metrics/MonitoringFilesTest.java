/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.nodemanager.EveryPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that dashboard and alerts use only metrics that exist, and tell their series apart. */
class MonitoringFilesTest {
  private static final Pattern NAME = Pattern.compile("\\bcharon_[a-z_]+");

  private static final Path CONF = Path.of("..", "conf");

  @ParameterizedTest
  @ValueSource(strings = {"grafana/charon.json", "prometheus/charon-alerts.yml"})
  void everyMetricIsOneOfTheNodes(String file) throws IOException {
    Set<String> known =
        Metric.all().stream().flatMap(MonitoringFilesTest::names).collect(Collectors.toSet());
    String text = Files.readString(CONF.resolve(file));

    assertThat(NAME.matcher(text).results().map(MatchResult::group)).isNotEmpty().isSubsetOf(known);
  }

  @Test
  void theDashboardTellsMechanismsApartThatReportTheSameQuantity(@TempDir Path proc)
      throws Exception {
    Set<String> registered = EveryPart.metrics(proc);
    List<MechanismMetric> shared =
        Arrays.stream(MechanismMetric.values())
            .filter(metric -> mechanisms(metric, registered) > 1)
            .toList();
    assertThat(shared).contains(MechanismMetric.LIMIT_BYTES, MechanismMetric.LIMIT_TRAFFIC);

    JsonNode dashboard = new ObjectMapper().readTree(CONF.resolve("grafana/charon.json").toFile());
    for (JsonNode panel : dashboard.path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        String query = target.path("expr").asText();
        if (shared.stream().anyMatch(metric -> query.contains(metric.prometheusName() + "{"))) {
          assertThat(query + " " + target.path("legendFormat").asText())
              .as(panel.path("title").asText())
              .containsPattern("\\bregulator=|\\{\\{regulator}}");
        }
      }
    }
  }

  /** Returns how many mechanisms report a quantity. */
  private static long mechanisms(MechanismMetric metric, Set<String> registered) {
    Pattern name = Pattern.compile(metric.jmxName("any").replace("_any_", "_[a-z_]+_"));
    return registered.stream().filter(name.asMatchPredicate()).count();
  }

  private static Stream<String> names(Metric metric) {
    String name = metric.prometheusName();
    return metric.type() == Metric.Type.HISTOGRAM
        ? Stream.of(name + "_bucket", name + "_sum", name + "_count")
        : Stream.of(name);
  }
}
