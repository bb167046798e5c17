/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.evaluation.killer.Report;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterReportTest {
  private static final List<String> CONTRACT =
      List.of(
          "production",
          "mode",
          "placement",
          "load",
          "repetitions",
          "productionP50VsAlone",
          "productionP90VsAlone",
          "serviceThroughputVsAlone",
          "serviceP99VsAlone",
          "serviceP99VsStockYarn",
          "aaSpread",
          "bestEffort",
          "kills",
          "failedAttempts",
          "lostWorkSeconds",
          "memoryUtilization");

  private final ClusterResult result =
      Runs.result(
          Runs.batch(ClusterMode.ALONE, 0, 0, 20, 0),
          Runs.batch(ClusterMode.ALONE_AGAIN, 0, 0, 22, 0),
          Runs.batch(ClusterMode.CHARON, 3, 0, 42, 12),
          Runs.service(ClusterMode.ALONE, 0, 600, 1),
          Runs.service(ClusterMode.ALONE_AGAIN, 0, 600, 1),
          Runs.service(ClusterMode.STOCK_YARN, 3, 500, 2),
          Runs.service(ClusterMode.CHARON, 3, 300, 3));

  @Test
  void keepsItsContractWithPrograms() {
    JsonNode json = ClusterReport.of(result).json();

    assertThat(json.path("horizonSeconds").asInt()).isEqualTo(120);
    assertThat(json.path("scenarios")).hasSize(7);
    for (JsonNode scenario : json.path("scenarios")) {
      CONTRACT.forEach(field -> assertThat(scenario.has(field)).as(field).isTrue());
    }
    JsonNode alone = json.path("scenarios").path(0);
    assertThat(alone.path("mode").asText()).isEqualTo("alone");
    assertThat(alone.path("load").isNull()).isTrue();
    assertThat(alone.path("bestEffort").isNull()).isTrue();
    JsonNode charon = json.path("scenarios").path(1);
    assertThat(charon.path("mode").asText()).isEqualTo("charon");
    assertThat(charon.path("load").asInt()).isEqualTo(3);
    assertThat(charon.path("productionP50VsAlone").asDouble()).isEqualTo(2.0);
    assertThat(charon.path("productionP90VsAlone").asDouble()).isEqualTo(2.0);
    assertThat(charon.path("serviceThroughputVsAlone").isNull()).isTrue();
    assertThat(charon.path("aaSpread").asDouble()).isCloseTo(0.1, within(1e-9));
    JsonNode bestEffort = charon.path("bestEffort");
    assertThat(bestEffort.path("submitted").asInt()).isEqualTo(15);
    assertThat(bestEffort.path("completed").asInt()).isEqualTo(12);
    assertThat(bestEffort.path("completionRate").asDouble()).isEqualTo(0.8);
    assertThat(bestEffort.path("completedPerMinute").asDouble()).isEqualTo(6.0);
    assertThat(bestEffort.path("p99Seconds").asDouble()).isEqualTo(40.0);
    assertThat(charon.path("lostWorkSeconds").asDouble()).isEqualTo(12.5);
    JsonNode service = json.path("scenarios").path(5);
    assertThat(service.path("production").asText()).isEqualTo("service");
    assertThat(service.path("productionP90VsAlone").isNull()).isTrue();
    assertThat(service.path("serviceThroughputVsAlone").asDouble()).isEqualTo(0.5);
    assertThat(service.path("serviceP99VsAlone").asDouble()).isEqualTo(3.0);
    assertThat(service.path("serviceP99VsStockYarn").path("ratio").asDouble()).isEqualTo(1.5);
    assertThat(json.path("scenarios").path(4).path("serviceP99VsStockYarn").isNull()).isTrue();
    assertThat(service.path("bestEffort").path("p50Seconds").isNull()).isTrue();
    assertThat(service.path("memoryUtilization").isNull()).isTrue();
  }

  @Test
  void ratiosAreMediansOverRepetitionsEachAgainstItsOwnRunsAlone() {
    ProductionComparison comparison =
        new ProductionComparison(
            ProductionKind.BATCH,
            List.of(
                Runs.batch(ClusterMode.CHARON, 1, 1, 60, 1),
                Runs.batch(ClusterMode.ALONE, 0, 0, 10, 0),
                Runs.batch(ClusterMode.ALONE_AGAIN, 0, 0, 10, 0),
                Runs.batch(ClusterMode.CHARON, 1, 0, 20, 2),
                Runs.batch(ClusterMode.ALONE, 0, 1, 20, 0),
                Runs.batch(ClusterMode.ALONE_AGAIN, 0, 1, 20, 0)));

    ClusterScenarioSummary charon = comparison.summaries().get(1);

    assertThat(charon.mode()).isEqualTo(ClusterMode.CHARON);
    assertThat(charon.ratios().p50().orElseThrow()).isCloseTo(2.5, within(1e-9));
    assertThat(charon.completed()).isEqualTo(3);
    assertThat(charon.submitted()).isEqualTo(10);
  }

  @Test
  void aRepetitionInWhichARunFailedDoesNotShiftTheOthers() {
    ProductionComparison comparison =
        new ProductionComparison(
            ProductionKind.BATCH,
            List.of(
                Runs.failed(Runs.batch(ClusterMode.ALONE, 0, 0, 10, 0)),
                Runs.batch(ClusterMode.ALONE_AGAIN, 0, 0, 10, 0),
                Runs.batch(ClusterMode.CHARON, 1, 0, 10, 1),
                Runs.batch(ClusterMode.ALONE, 0, 1, 20, 0),
                Runs.batch(ClusterMode.ALONE_AGAIN, 0, 1, 22, 0),
                Runs.batch(ClusterMode.CHARON, 1, 1, 42, 1),
                Runs.batch(ClusterMode.ALONE, 0, 2, 20, 0)));

    assertThat(comparison.summaries().get(1).ratios().p90()).hasValue(2);
    assertThat(comparison.aaSpread().orElseThrow()).isCloseTo(0.1, within(1e-9));
  }

  @Test
  void theHtmlFileNeedsNoOther() throws IOException {
    String html = ClusterHtml.text(ClusterReport.of(result), result);

    assertThat(html)
        .contains("<html", "charon", "data:image/svg+xml;base64,", "no &lt;swap&gt;", "MISSED")
        .doesNotContain("http://", "https://", "<script");
  }

  @Test
  void whereOnlyProductionAloneWasMeasuredNothingIsDrawn() throws IOException {
    ClusterResult alone = Runs.result(Runs.batch(ClusterMode.ALONE, 0, 0, 20, 0));

    assertThat(ClusterHtml.text(ClusterReport.of(alone), alone))
        .contains("<td>alone</td>", "</html>")
        .doesNotContain("<figure>");
  }

  @Test
  void aRunOfCharonThatHadNoKernelKillerIsToldAlsoIfItWasMeasuredEarlier() {
    ClusterRunMeasurement charon = Runs.batch(ClusterMode.CHARON, 3, 0, 20, 12);
    ClusterRunMeasurement threshold = Runs.batch(ClusterMode.THRESHOLD, 3, 0, 20, 12);
    Report with =
        ClusterReport.of(
            Runs.result(
                Runs.withKiller(charon, "kernel 1"), Runs.withKiller(threshold, "user-space")));
    Report without = ClusterReport.of(Runs.result(Runs.withKiller(charon, "user-space")));

    String remark = "Runs of charon without the kernel UA killer; in charge: user-space";
    assertThat(without.remarks()).contains("no <swap>", remark);
    assertThat(without.json().path("remarks").path(1).asText()).isEqualTo(remark);
    assertThat(with.remarks()).contains("no <swap>").doesNotContain(remark);
  }

  @Test
  void aProblemOfARunIsToldAndMakesTheReportNotOk() {
    ClusterRunMeasurement bad = Runs.failed(Runs.batch(ClusterMode.ALONE, 0, 0, 20, 0));

    Report report = ClusterReport.of(Runs.result(bad));

    assertThat(report.ok()).isFalse();
    assertThat(report.remarks()).anyMatch(line -> line.contains("the production job failed"));
    assertThat(ClusterReport.of(result).ok()).isTrue();
  }
}
