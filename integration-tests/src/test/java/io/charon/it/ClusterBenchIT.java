/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.clusterbench.BestEffortKind;
import io.charon.evaluation.clusterbench.BestEffortPlacement;
import io.charon.evaluation.clusterbench.ClusterBench;
import io.charon.evaluation.clusterbench.ClusterHtml;
import io.charon.evaluation.clusterbench.ClusterMode;
import io.charon.evaluation.clusterbench.ClusterOptions;
import io.charon.evaluation.clusterbench.ClusterReport;
import io.charon.evaluation.clusterbench.ClusterResult;
import io.charon.evaluation.clusterbench.ProductionKind;
import io.charon.evaluation.killer.Report;
import io.charon.evaluation.killer.TimeBudget;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The smallest real benchmark: a cluster with production alone; with --all also one with Charon and
 * production alone again. No numbers are judged, so that it can run while other tests run.
 */
@WritableCgroups
class ClusterBenchIT {
  private static final String CGROUP = "charon-bench-" + ProcessHandle.current().pid();

  /** Budget in which the first run starts, with production alone, and no other. */
  private static final Duration ONE_RUN = Duration.ofMillis(1);

  @TempDir private Path directory;

  @Test
  void measuresARealClusterAndLeavesNothingBehind() throws Exception {
    JsonNode document = measure(BestEffortKind.TASKS, TimeBudget.of(ONE_RUN));

    assertThat(modes(document)).containsExactly("alone");
    assertThatProductionIsMeasured(document);
  }

  @Test
  @Tag("long")
  void comparesWithProductionAlone() throws Exception {
    JsonNode document = measure(BestEffortKind.MAPREDUCE, TimeBudget.unlimited());

    assertThat(modes(document)).containsExactly("alone", "charon", "alone-again");
    assertThatProductionIsMeasured(document);
    assertThatBestEffortIsMeasured(document.path("scenarios").path(1));
    for (JsonNode scenario : document.path("scenarios")) {
      assertThat(scenario.path("productionP90VsAlone").asDouble()).isPositive();
      assertThat(scenario.path("aaSpread").asDouble(-1)).isNotNegative();
    }
  }

  private JsonNode measure(BestEffortKind kind, TimeBudget budget) throws Exception {
    StringWriter progress = new StringWriter();

    ClusterResult result =
        new ClusterBench(
                Path.of("..").toAbsolutePath().normalize(),
                Installation.locate(),
                new PrintWriter(progress, true))
            .run(
                new ClusterOptions(
                    List.of(ProductionKind.BATCH),
                    List.of(ClusterMode.CHARON),
                    List.of(1),
                    kind,
                    BestEffortPlacement.CENTRALIZED,
                    1,
                    Duration.ofSeconds(10),
                    true),
                Optional.of(directory.resolve("runs.jsonl")),
                budget);
    Report report = ClusterReport.of(result);
    Path json = directory.resolve("cluster.json");
    Path html = directory.resolve("cluster.html");
    report.writeJson(json);
    ClusterHtml.write(html, report, result);

    assertThat(report.ok()).as(progress + "\n" + report.remarks()).isTrue();
    assertThat(html).content().contains("</html>");
    assertThat(Path.of("/sys/fs/cgroup/memory", CGROUP)).doesNotExist();
    assertThat(Path.of("/sys/fs/cgroup", CGROUP)).doesNotExist();
    assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive)).isEmpty();
    JsonNode document = new ObjectMapper().readTree(json.toFile());
    assertThat(document.path("horizonSeconds").asInt()).isEqualTo(10);
    return document;
  }

  private static List<String> modes(JsonNode document) {
    return document.path("scenarios").findValuesAsText("mode");
  }

  private static void assertThatProductionIsMeasured(JsonNode document) {
    for (JsonNode scenario : document.path("scenarios")) {
      assertThat(scenario.path("production").asText()).isEqualTo("batch");
      assertThat(scenario.path("placement").asText()).isEqualTo("centralized");
      assertThat(scenario.path("productionP90Seconds").asDouble()).isPositive();
      assertThat(scenario.path("productionSamples").asInt()).isEqualTo(2);
      assertThat(scenario.path("memoryUtilization").asDouble()).isBetween(0.01, 1.0);
      assertThat(scenario.path("serviceP99VsAlone").isNull()).isTrue();
    }
  }

  private static void assertThatBestEffortIsMeasured(JsonNode charon) {
    assertThat(charon.path("load").asInt()).isEqualTo(1);
    assertThat(charon.path("bestEffort").path("submitted").asInt()).isEqualTo(1);
    assertThat(charon.path("kills").isNumber()).isTrue();
    assertThat(charon.path("lostWorkSeconds").isNumber()).isTrue();
  }
}
