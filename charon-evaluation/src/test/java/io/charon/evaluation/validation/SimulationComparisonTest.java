/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.evaluation.validation.DemoDocument.BestEffort;
import io.charon.evaluation.validation.DemoDocument.Containers;
import io.charon.evaluation.validation.DemoDocument.Mode;
import io.charon.sls.policy.Policy;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses a file that the demo wrote, with a window so short that few jobs complete. */
@Tag("hadoop")
class SimulationComparisonTest {
  @TempDir private Path directory;

  @BeforeEach
  void skipWhereSimulationsAreRefused() {
    boolean supported = VersionInfo.getVersion().startsWith("3.4");
    if (!supported) {
      System.out.println("SKIPPED SimulationComparisonTest: simulations need Hadoop 3.4 as yet");
    }
    assumeTrue(supported, "simulations need Hadoop 3.4 as yet");
  }

  static Path demo() {
    try {
      return Path.of(
          Objects.requireNonNull(SimulationComparisonTest.class.getResource("demo-small.json"))
              .toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void everyModeIsSimulatedAndComparedTheSameEachTime() throws IOException {
    DemoDocument document = DemoDocument.read(demo());

    SimulationComparison comparison = SimulationComparison.of(document, 2);

    assertThat(comparison).isEqualTo(SimulationComparison.of(document, 2));
    assertThat(comparison.modes().keySet()).containsExactlyInAnyOrder("alone", "charon");
    List<ComparedNumber> charon = comparison.modes().get("charon");
    assertThat(charon)
        .extracting(ComparedNumber::name)
        .containsExactly(
            "jobs completed",
            "completion time, 50 %",
            "completion time, 90 %",
            "production time",
            "production slowdown",
            "containers launched",
            "  killed for memory",
            "  preempted by YARN",
            "memory utilization");
    assertThat(charon).noneMatch(ComparedNumber::calibrated);
    assertThat(number(charon, "production time").simulated()).hasSize(2);
    assertThat(number(charon, "containers launched").mean().orElseThrow()).isPositive();
  }

  @Test
  void eachModeIsSimulatedWithThePolicyOfTheDemosNodes() throws IOException {
    Mode kernel = killedBy("kernel 1");
    Mode userSpace = killedBy("user-space");

    assertThat(SimulationComparison.policyOf("charon", kernel))
        .isEqualTo(Policy.CHARON_ANY_PROCESSORS);
    assertThat(SimulationComparison.policyOf("charon", userSpace))
        .isEqualTo(Policy.CHARON_NO_CGROUPS);
    assertThat(SimulationComparison.policyOf("threshold", userSpace))
        .isEqualTo(Policy.THRESHOLD_FAIR);
    assertThat(SimulationComparison.policyOf("stock-yarn", killedBy("nobody")))
        .isEqualTo(Policy.STOCK_YARN);
    assertThatThrownBy(() -> SimulationComparison.policyOf("mercury", userSpace))
        .hasMessage("mode mercury of the demo is not simulated");
  }

  private static Mode killedBy(String killer) {
    return new Mode(
        new BestEffort(1, 1.0), 1, 0.5, new Containers(1.0, 0.0, 0.0), killer, List.of());
  }

  @Test
  void productionAloneIsGivenAndTakesAsLongAsItsTasks() throws IOException {
    DemoDocument document = DemoDocument.read(demo());

    ComparedNumber production =
        number(SimulationComparison.of(document, 1).modes().get("alone"), "production time");

    assertThat(production.calibrated()).isTrue();
    // The longest task took 21.8 s and the whole job 30.6 s; the slow start of the job is not
    // simulated.
    assertThat(production.mean().orElseThrow()).isBetween(21.8, 30.6);
  }

  @Test
  void theJsonHoldsBothSides() throws IOException {
    Path file = directory.resolve("new/validation.json");
    new ComparisonJson().write(SimulationComparison.of(DemoDocument.read(demo()), 1), file);

    JsonNode json = new ObjectMapper().readTree(file.toFile());

    assertThat(json.path("calibration").fieldNames())
        .toIterable()
        .containsExactly("applicationMaster", "launchSeconds", "production", "bestEffort");
    assertThat(json.path("calibration").path("bestEffort").path("wordcount")).hasSize(3);
    assertThat(json.path("modes").path("charon").path(0).fieldNames())
        .toIterable()
        .containsExactly(
            "name",
            "unit",
            "measured",
            "simulatedMean",
            "simulatedLeast",
            "simulatedMost",
            "differencePercent",
            "calibrated");
  }

  private static ComparedNumber number(List<ComparedNumber> numbers, String name) {
    return numbers.stream().filter(number -> number.name().equals(name)).findFirst().orElseThrow();
  }
}
