/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.cluster;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.charon.scheduler.cluster.NodeRow.BestEffort;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * Writes a cluster's state as one line of JSON. The nodes are a table that names its columns once,
 * so that 1,000 nodes take about 140 kB. Names never change; columns may be added at the end.
 */
public final class ClusterJson {
  private static final JsonFactory FACTORY = new JsonFactory();

  private interface Cell {
    void write(JsonGenerator json, NodeRow row) throws IOException;
  }

  private record Column(String name, Cell cell) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("node", (json, row) -> json.writeString(row.node())),
          new Column("state", (json, row) -> json.writeString(row.state())),
          new Column("health", (json, row) -> json.writeString(row.health().orElse(null))),
          new Column("web", (json, row) -> json.writeString(row.web().orElse(null))),
          new Column(
              "capacityMebibytes",
              (json, row) -> json.writeNumber(row.memory().capacityMebibytes())),
          new Column(
              "reservedMebibytes",
              (json, row) -> json.writeNumber(row.memory().reservedMebibytes())),
          new Column("usedMebibytes", (json, row) -> write(json, row.memory().usedMebibytes())),
          new Column(
              "machineUsedMebibytes",
              (json, row) -> write(json, row.memory().machineUsedMebibytes())),
          new Column(
              "bestEffortRunning", (json, row) -> json.writeNumber(row.bestEffort().running())),
          new Column(
              "bestEffortQueued", (json, row) -> json.writeNumber(row.bestEffort().queued())),
          new Column(
              "bestEffortRequestedGibibytes",
              (json, row) -> json.writeNumber(row.bestEffort().requestedGibibytes())),
          new Column(
              "expectedWaitMillis", (json, row) -> write(json, row.bestEffort().waitMillis())),
          new Column("killedLastHour", (json, row) -> write(json, row.bestEffort().killed())),
          new Column("refusedLastHour", (json, row) -> write(json, row.bestEffort().refused())));

  private ClusterJson() {}

  /** Returns the state in one line. */
  public static String of(ClusterStatus status) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("time", status.time().toString());
      json.writeNumberField("countedSeconds", status.counted().toSeconds());
      json.writeStringField("scheme", status.scheme());
      totals(json, status);
      table(json, status);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void totals(JsonGenerator json, ClusterStatus status) throws IOException {
    json.writeObjectFieldStart("totals");
    json.writeNumberField("nodes", status.nodes().size());
    json.writeNumberField(
        "nodesNotRunning",
        status.nodes().stream().filter(row -> !row.state().equals("RUNNING")).count());
    json.writeNumberField("nodesLost", status.lostNodes());
    sum(json, "capacityMebibytes", status, row -> row.memory().capacityMebibytes());
    sum(json, "reservedMebibytes", status, row -> row.memory().reservedMebibytes());
    sum(json, "usedMebibytes", status, row -> row.memory().usedMebibytes().orElse(0));
    bestEffort(json, "Running", status, BestEffort::running);
    bestEffort(json, "Queued", status, BestEffort::queued);
    bestEffort(json, "RequestedGibibytes", status, BestEffort::requestedGibibytes);
    if (!status.counted().isZero()) {
      sum(json, "killedLastHour", status, row -> row.bestEffort().killed().orElse(0));
      sum(json, "refusedLastHour", status, row -> row.bestEffort().refused().orElse(0));
    }
    json.writeEndObject();
  }

  private static void bestEffort(
      JsonGenerator json, String name, ClusterStatus status, ToLongFunction<BestEffort> value)
      throws IOException {
    sum(json, "bestEffort" + name, status, row -> value.applyAsLong(row.bestEffort()));
  }

  private static void sum(
      JsonGenerator json, String name, ClusterStatus status, ToLongFunction<NodeRow> value)
      throws IOException {
    json.writeNumberField(name, status.nodes().stream().mapToLong(value).sum());
  }

  private static void table(JsonGenerator json, ClusterStatus status) throws IOException {
    json.writeArrayFieldStart("columns");
    for (Column column : COLUMNS) {
      json.writeString(column.name());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("rows");
    for (NodeRow row : status.nodes()) {
      json.writeStartArray();
      for (Column column : COLUMNS) {
        column.cell().write(json, row);
      }
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, OptionalLong value) throws IOException {
    if (value.isPresent()) {
      json.writeNumber(value.getAsLong());
    } else {
      json.writeNull();
    }
  }

  private static void write(JsonGenerator json, OptionalInt value) throws IOException {
    write(json, value.isPresent() ? OptionalLong.of(value.getAsInt()) : OptionalLong.empty());
  }
}
