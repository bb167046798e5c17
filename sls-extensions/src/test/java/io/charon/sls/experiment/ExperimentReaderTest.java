/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.sls.node.KillDelay;
import io.charon.sls.node.NodeSize;
import io.charon.sls.policy.Policy;
import io.charon.sls.run.RunSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExperimentReaderTest {
  @TempDir private Path directory;

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("e.yaml"), text);
  }

  private ExperimentPlan plan(String text) throws IOException {
    return ExperimentReader.read(write(text)).build();
  }

  @Test
  void everyKeyIsRead() throws IOException {
    ExperimentPlan plan =
        plan(
            """
            description: what it is for
            workload: traces/w.jsonl.gz
            import: charon sls import
            embedded: {hours: 0.5, productionJobs: 7, bestEffortJobs: 9, productionRatio: 0.7}
            policies: [charon, stock-yarn]
            loads: [1, 4]
            seeds: 3
            nodes: 12
            nodeCores: 16
            nodeMemoryGb: 64
            queueLimit: 5
            horizonHours: 1.5
            killsAsPreemptions: true
            killDelays: paper
            """);
    assertThat(plan.description()).isEqualTo("what it is for");
    assertThat(plan.workload().names())
        .containsExactly(directory.resolve("traces/w.jsonl.gz").toString());
    assertThat(plan.workload().importCommand()).contains("charon sls import");
    assertThat(plan.workload().embedded().hours()).isEqualTo(0.5);
    assertThat(plan.workload().embedded().productionJobs()).hasValue(7);
    assertThat(plan.workload().embedded().bestEffortJobs()).hasValue(9);
    assertThat(plan.workload().embedded().productionRatio()).hasValue(0.7);
    assertThat(plan.nodes().count()).hasValue(12);
    assertThat(plan.nodes().cores()).hasValue(16);
    assertThat(plan.nodes().memoryGibibytes()).hasValue(64);
    List<RunSettings> runs = plan.runs(12, new NodeSize(64L << 30, 16, 64L << 30));
    assertThat(runs).hasSize(2 * 2 * 3).doesNotHaveDuplicates();
    RunSettings last = runs.get(11);
    assertThat(last.policy()).isEqualTo(Policy.STOCK_YARN);
    assertThat(last.load()).isEqualTo(4);
    assertThat(last.seed()).isEqualTo(3);
    assertThat(last.cluster().nodes().count()).isEqualTo(12);
    assertThat(last.cluster().nodes().size().cores()).isEqualTo(16.0);
    assertThat(last.cluster().nodes().queueLimit()).isEqualTo(5);
    assertThat(last.cluster().retries().killsAreFailures()).isFalse();
    assertThat(last.policies().killDelays()).isEqualTo(KillDelay.Profile.PAPER);
    assertThat(last.afterLastSubmission()).isEqualTo(Duration.ofMinutes(90));
  }

  @Test
  void laterSettingsTakePrecedence() throws IOException {
    ExperimentPlanBuilder plan = ExperimentReader.read(write("seeds: 3\nnodes: 5\n"));
    plan.seeds(7);
    assertThat(plan.build().grid().seeds()).isEqualTo(7);
    assertThat(plan.build().nodes().count()).hasValue(5);
  }

  @Test
  void anExperimentOnATraceNamesItsImportCommand() throws IOException {
    assertThat(plan("import: charon sls import --input DIR").workload().names()).isEmpty();
    assertThat(plan("seeds: 1").workload().isEmbedded()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          seeds: 1\\nnodez: 5           | e.yaml:2: unknown key nodez; the keys are description, workload
          seeds: 1\\nnodes: 0           | e.yaml:2: nodes: must be 1 to 60000, was 0
          nodes: many                   | e.yaml:1: nodes: must be a whole number, was many
          nodes: [1, 2]                 | e.yaml:1: must be one value, not a list
          loads: [1, 0]                 | e.yaml:1: loads: must be 1 to 100, was 0
          loads: []                     | e.yaml:1: loads: must hold at least one
          policies: [charon, best]      | e.yaml:1: policies: no policy best; choose from production-alone
          embedded: 5                   | e.yaml:1: must be a mapping of the keys hours
          embedded:\\n  day: 5          | e.yaml:2: unknown key day; the keys are hours
          killDelays: guessed           | e.yaml:1: killDelays: must be measured or paper, was guessed
          killsAsPreemptions: maybe     | e.yaml:1: killsAsPreemptions: must be true or false
          horizonHours: .nan            | e.yaml:1: horizonHours: must be a number, was .nan
          horizonHours: NaN             | e.yaml:1: horizonHours: must be 0.0 to 1000.0, was NaN
          seeds: 1\\nseeds: 2           | e.yaml:2: the key seeds appears twice here
          - nodes                       | e.yaml:1: must be a mapping of the keys description
          seeds: 1\\nnodes: "5          | e.yaml:2: not YAML: found unexpected end of stream
          !!java.net.URL [x]: 1         | e.yaml:1: not YAML: Global tag is not allowed
          ''                            | e.yaml: the file is empty
          """)
  void errorsNameTheirLine(String text, String message) throws IOException {
    Path file = write(text.replace("\\n", "\n"));
    assertThatThrownBy(() -> ExperimentReader.read(file))
        .isInstanceOf(ExperimentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aFileThatIsNotAnExperimentIsRefused() throws IOException {
    assertThatThrownBy(() -> ExperimentReader.read(directory.resolve("missing.yaml")))
        .hasMessageContaining("missing.yaml: no such file");
    assertThatThrownBy(() -> ExperimentReader.read(directory))
        .isInstanceOf(ExperimentException.class)
        .hasMessageContaining("cannot be read");
    Path large = write("#".repeat(1 << 16) + "\n");
    assertThatThrownBy(() -> ExperimentReader.read(large)).hasMessageContaining("larger than");
    Path binary =
        Files.write(directory.resolve("b"), "seeds: \u00e4".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> ExperimentReader.read(binary)).hasMessageContaining("not UTF-8");
  }

  @Test
  void shippedExperimentsAreValid() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("../conf/experiments"))) {
      List<Path> experiments = files.toList();
      assertThat(experiments).hasSizeGreaterThanOrEqualTo(3);
      for (Path file : experiments) {
        ExperimentPlan plan = ExperimentReader.read(file).build();
        assertThat(plan.description()).isNotEmpty();
        PlannedWorkload workload = plan.workload();
        assertThat(!workload.names().isEmpty() || workload.importCommand().isPresent()).isTrue();
      }
    }
  }
}
