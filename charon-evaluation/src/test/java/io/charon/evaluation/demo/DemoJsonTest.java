/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoJsonTest {
  @Test
  void keepsTheContract(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("new").resolve("out.json");
    new DemoJson()
        .write(
            Results.of(
                Results.run(DemoMode.ALONE, 0),
                Results.run(DemoMode.STOCK_YARN, 3),
                Results.run(DemoMode.CHARON, 6)),
            RunHistory.read(directory.resolve("runs.jsonl"), Results.CONDITIONS),
            file);

    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(json.path("modes").fieldNames())
        .toIterable()
        .containsExactly("alone", "stock-yarn", "charon");
    JsonNode charon = json.path("modes").path("charon");
    assertThat(charon.path("bestEffort").toString())
        .isEqualTo(
            "{\"submitted\":7,\"completed\":6,\"failed\":0,\"unfinished\":1,"
                + "\"tasks\":6,\"verifiedMegabytes\":240.0,"
                + "\"p50Seconds\":13.0,\"p95Seconds\":60.0,\"completedPerMinute\":6.0,"
                + "\"useOfRequest\":0.549,\"processors\":0.021,\"runningTasks\":0.25,"
                + "\"slotsBesideReservations\":6.0}");
    assertThat(charon.path("productionSeconds").asDouble()).isEqualTo(80);
    assertThat(charon.path("productionBusySeconds").asDouble()).isEqualTo(20);
    assertThat(charon.path("productionBatchP50Seconds").asDouble()).isEqualTo(0.1);
    assertThat(charon.path("productionBatchP95Seconds").asDouble()).isEqualTo(0.1);
    assertThat(charon.path("productionBatchVsOwnBaseline").asDouble()).isEqualTo(1);
    assertThat(charon.path("memoryUtilization").asDouble()).isEqualTo(0.7);
    assertThat(charon.path("killer").asText()).isEqualTo("kernel 1");
    assertThat(charon.path("kills").path(1).toString())
        .isEqualTo(
            "{\"containerId\":\"container_1\",\"by\":\"kernel\","
                + "\"decisionToLastSignalMillis\":0.06,\"decisionToFreedMillis\":20.0}");
    assertThat(charon.path("containers").toString())
        .isEqualTo("{\"launched\":12,\"rejected\":1,\"shed\":2,\"killed\":3,\"preempted\":4}");
    assertThat(json.path("windowSeconds").asDouble()).isEqualTo(60);
    assertThat(json.path("productionReservedFraction").asDouble()).isBetween(0.65, 0.75);
    assertThat(json.path("outputsAreRight").isBoolean()).isTrue();
    assertThat(json.path("bound").isNumber()).isTrue();
    assertThat(json.path("spread").asDouble()).isZero();
    assertThat(json.path("conclusive").asBoolean()).isTrue();
    assertThat(json.path("verdicts").path(0).fieldNames())
        .toIterable()
        .containsExactly("name", "ok", "measured", "limit", "detail");
    assertThat(json.path("hadoopVersion").asText()).isEqualTo("3.4.2");
    assertThat(json.path("seconds").asDouble()).isEqualTo(400.123);
  }

  @Test
  void saysWhatASimulationNeedsAndWhatRegulatorsDid() {
    JsonNode json = new DemoJson().toJson(Results.of(Results.run(DemoMode.CHARON, 1)));

    assertThat(json.path("workload").toString())
        .isEqualTo(
            "{\"kind\":\"memory\",\"nodes\":2,\"nodeMemoryMb\":2560,\"nodeManagerMemoryMb\":2304,"
                + "\"productionTaskMb\":1420,\"productionMasterMb\":208,\"bestEffortTaskMb\":224,"
                + "\"bestEffortMasterMb\":192,\"parallelBestEffortJobs\":3,\"queueLimit\":5,"
                + "\"outgrowing\":false}");
    JsonNode run = json.path("modes").path("charon").path("runs").path(0);
    assertThat(run.path("production").toString())
        .isEqualTo(
            "{\"kind\":\"production\",\"application\":\"application_1_0001\","
                + "\"submittedSeconds\":-5.5,\"finishedSeconds\":116.25}");
    assertThat(run.path("jobs").toString())
        .isEqualTo(
            "[{\"kind\":\"grep\",\"application\":\"application_1_0002\","
                + "\"submittedSeconds\":0.25,\"finishedSeconds\":null}]");
    assertThat(run.path("machine").toString())
        .isEqualTo(
            "{\"processors\":2,\"seconds\":60.0,\"busySeconds\":75.0,"
                + "\"stolenSeconds\":0.0,\"containersSeconds\":60.0}");
    assertThat(run.path("containers").path(1).toString())
        .isEqualTo(
            "{\"id\":\"container_1_0002_01_000002\",\"application\":\"application_1_0002\","
                + "\"node\":\"node1\",\"role\":\"TASK\",\"startSeconds\":0.0,\"endSeconds\":15.0,"
                + "\"ended\":true,\"points\":[[7.5,123.0,1.25]]}");
    assertThat(run.path("regulators").toString())
        .isEqualTo(
            "[{\"node\":\"node1\",\"name\":\"cpu\",\"signal\":\"pressure\","
                + "\"limitUnit\":\"cores\",\"lowestLimit\":0.1,\"highestLimit\":0.5,"
                + "\"secondsByCause\":{\"inside\":7},\"last\":\"applied: 0.5\"}]");
  }

  @Test
  void aPercentileOfNothingIsNull() {
    JsonNode alone =
        new DemoJson()
            .toJson(Results.of(Results.run(DemoMode.ALONE, 0)))
            .path("modes")
            .path("alone");

    assertThat(alone.path("bestEffort").path("p50Seconds").isNull()).isTrue();
    assertThat(alone.path("bestEffort").path("p95Seconds").isNull()).isTrue();
    assertThat(alone.path("bestEffort").path("submitted").asInt(-1)).isZero();
  }
}
