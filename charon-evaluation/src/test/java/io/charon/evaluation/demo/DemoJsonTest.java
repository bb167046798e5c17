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
                Results.run(DemoMode.ALONE, 0, 100),
                Results.run(DemoMode.MERCURY, 3, 100.5),
                Results.run(DemoMode.CHARON, 6, 105)),
            file);

    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(json.path("modes").fieldNames())
        .toIterable()
        .containsExactly("alone", "mercury", "charon");
    JsonNode charon = json.path("modes").path("charon");
    assertThat(charon.path("bestEffort").toString())
        .isEqualTo(
            "{\"submitted\":7,\"completed\":6,\"failed\":0,\"unfinished\":1,"
                + "\"p50Seconds\":30.0,\"p95Seconds\":60.0,\"completedPerMinute\":3.0}");
    assertThat(charon.path("productionSeconds").asDouble()).isEqualTo(105);
    assertThat(charon.path("memoryUtilization").asDouble()).isEqualTo(0.5);
    assertThat(charon.path("killer").asText()).isEqualTo("kernel 1");
    assertThat(charon.path("kills").path(1).toString())
        .isEqualTo(
            "{\"containerId\":\"container_1\",\"by\":\"kernel\","
                + "\"decisionToLastSignalMillis\":0.06,\"decisionToFreedMillis\":20.0}");
    assertThat(charon.path("containers").toString())
        .isEqualTo("{\"launched\":12,\"rejected\":1,\"shed\":2,\"killed\":3,\"preempted\":4}");
    assertThat(json.path("windowSeconds").asDouble()).isEqualTo(120);
    assertThat(json.path("productionReservedFraction").asDouble()).isBetween(0.65, 0.75);
    assertThat(json.path("repeat").asInt()).isEqualTo(1);
    assertThat(json.path("wordCountsMatch").isBoolean()).isTrue();
    assertThat(json.path("checks").path(0).fieldNames())
        .toIterable()
        .containsExactly("name", "ok", "detail");
    assertThat(json.path("hadoopVersion").asText()).isEqualTo("3.4.2");
    assertThat(json.path("seconds").asDouble()).isEqualTo(400.123);
  }

  @Test
  void saysWhatASimulationNeedsAndWhatRegulatorsDid() {
    JsonNode json = new DemoJson().toJson(Results.of(Results.run(DemoMode.CHARON, 1, 100)));

    assertThat(json.path("workload").toString())
        .isEqualTo(
            "{\"nodes\":2,\"nodeMemoryMb\":3072,\"nodeManagerMemoryMb\":2764,\"productionTaskMb\":1720,"
                + "\"productionMasterMb\":208,\"bestEffortTaskMb\":448,\"bestEffortMasterMb\":192,"
                + "\"parallelBestEffortJobs\":3,\"queueLimit\":5,\"outgrowing\":false}");
    assertThat(json.path("modes").path("charon").path("runs").toString())
        .isEqualTo(
            "[{\"production\":{\"kind\":\"production\",\"application\":\"application_1_0001\","
                + "\"submittedSeconds\":-5.5,\"finishedSeconds\":116.25},"
                + "\"jobs\":[{\"kind\":\"grep\",\"application\":\"application_1_0002\","
                + "\"submittedSeconds\":0.25,\"finishedSeconds\":null}],\"calibration\":[],"
                + "\"machine\":{\"processors\":2,\"seconds\":119.5,\"busySeconds\":150.25,"
                + "\"stolenSeconds\":0.5,\"containersSeconds\":120.125},\"memoryUtilization\":0.5,"
                + "\"containers\":[{\"id\":\"container_1_0001_01_000002\",\"application\":\"application_1_0001\","
                + "\"node\":\"node1\",\"role\":\"MAP\",\"startSeconds\":-1.5,\"endSeconds\":115.0,"
                + "\"ended\":true,\"points\":[[0.5,100.0,1.25]]}],"
                + "\"regulators\":[{\"node\":\"node1\",\"name\":\"cpu\",\"signal\":\"pressure\","
                + "\"limitUnit\":\"cores\",\"lowestLimit\":0.1,\"highestLimit\":0.5,"
                + "\"secondsByCause\":{\"inside\":7},\"last\":\"applied: 0.5\"}]}]");
  }

  @Test
  void aPercentileOfNothingIsNull() {
    JsonNode alone =
        new DemoJson()
            .toJson(Results.of(Results.run(DemoMode.ALONE, 0, 100)))
            .path("modes")
            .path("alone");

    assertThat(alone.path("bestEffort").path("p50Seconds").isNull()).isTrue();
    assertThat(alone.path("bestEffort").path("p95Seconds").isNull()).isTrue();
    assertThat(alone.path("bestEffort").path("submitted").asInt(-1)).isZero();
  }
}
