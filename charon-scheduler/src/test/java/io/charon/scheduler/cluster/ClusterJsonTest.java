/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.scheduler.cluster.NodeRow.BestEffort;
import io.charon.scheduler.cluster.NodeRow.Memory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClusterJsonTest {
  private static final Instant TIME = Instant.parse("2026-01-02T03:04:05Z");

  private static final NodeRow FULL =
      new NodeRow(
          "node1.example.com:8041",
          "UNHEALTHY",
          Optional.of("disk \"1\" <b>full</b>"),
          Optional.of("node1.example.com:8042"),
          new Memory(196_608, 131_072, OptionalLong.of(98_304), OptionalLong.of(150_000)),
          new BestEffort(7, 5, 12, OptionalInt.of(30_000), OptionalInt.of(3), OptionalInt.of(2)));

  private static final NodeRow SILENT =
      new NodeRow(
          "node2.example.com:8041",
          "RUNNING",
          Optional.empty(),
          Optional.empty(),
          new Memory(1000, 0, OptionalLong.empty(), OptionalLong.empty()),
          new BestEffort(0, 0, 0, OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty()));

  @Test
  void theNamesOfColumnsArePromised() throws Exception {
    JsonNode json = parse(status(Duration.ofMinutes(5), List.of(FULL)));
    assertThat(json.path("columns").toString())
        .isEqualTo(
            "[\"node\",\"state\",\"health\",\"web\",\"capacityMebibytes\",\"reservedMebibytes\","
                + "\"usedMebibytes\",\"machineUsedMebibytes\",\"bestEffortRunning\","
                + "\"bestEffortQueued\",\"bestEffortRequestedGibibytes\",\"expectedWaitMillis\","
                + "\"killedLastHour\",\"refusedLastHour\"]");
    assertThat(json.path("rows").path(0).toString())
        .isEqualTo(
            "[\"node1.example.com:8041\",\"UNHEALTHY\",\"disk \\\"1\\\" <b>full</b>\","
                + "\"node1.example.com:8042\",196608,131072,98304,150000,7,5,12,30000,3,2]");
    assertThat(json.path("time").asText()).isEqualTo("2026-01-02T03:04:05Z");
    assertThat(json.path("countedSeconds").asInt()).isEqualTo(300);
    assertThat(json.path("scheme").asText()).isEqualTo("https");
  }

  @Test
  void totalsAreTheSumsOfTheRows() throws Exception {
    JsonNode totals = parse(status(Duration.ofHours(1), List.of(FULL, SILENT))).path("totals");
    assertThat(totals.toString())
        .isEqualTo(
            "{\"nodes\":2,\"nodesNotRunning\":1,\"nodesLost\":4,\"capacityMebibytes\":197608,"
                + "\"reservedMebibytes\":131072,\"usedMebibytes\":98304,\"bestEffortRunning\":7,"
                + "\"bestEffortQueued\":5,\"bestEffortRequestedGibibytes\":12,"
                + "\"killedLastHour\":3,\"refusedLastHour\":2}");
  }

  @Test
  void whatIsNotKnownIsNullAndWhatIsNotCountedHasNoTotal() throws Exception {
    JsonNode json = parse(status(Duration.ZERO, List.of(SILENT)));
    assertThat(json.path("rows").path(0).toString())
        .isEqualTo(
            "[\"node2.example.com:8041\",\"RUNNING\",null,null,1000,0,null,null,0,0,0,null,null,"
                + "null]");
    assertThat(json.path("totals").has("killedLastHour")).isFalse();
  }

  @Test
  void aThousandNodesFitIntoAnEvent() {
    List<NodeRow> rows =
        IntStream.range(0, 1000)
            .mapToObj(
                index ->
                    new NodeRow(
                        "worker-%04d.rack-17.example.com:8041".formatted(index),
                        "RUNNING",
                        Optional.empty(),
                        Optional.of("worker-%04d.rack-17.example.com:8042".formatted(index)),
                        FULL.memory(),
                        FULL.bestEffort()))
            .toList();
    String json = ClusterJson.of(status(Duration.ofHours(1), rows));
    assertThat(json).doesNotContain("\n");
    int bytes = json.getBytes(StandardCharsets.UTF_8).length;
    System.out.println("An event of 1,000 nodes has " + bytes + " bytes");
    assertThat(bytes).isLessThan(160_000);
  }

  private static ClusterStatus status(Duration counted, List<NodeRow> rows) {
    return new ClusterStatus(TIME, counted, 4, "https", rows);
  }

  private static JsonNode parse(ClusterStatus status) throws Exception {
    return new ObjectMapper().readTree(ClusterJson.of(status));
  }
}
