/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.status.NodeAddress;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints a status document for people. A field that is not there is shown as a dash, never as zero.
 */
final class StatusPrinter {
  private static final String ABSENT = "-";

  private final PrintWriter out;

  StatusPrinter(PrintWriter out) {
    this.out = out;
  }

  void print(NodeAddress node, JsonNode status) {
    out.printf("%s  mode %s%n", node, text(status.path("mode")));
    JsonNode memory = status.path("node");
    out.printf(
        "  memory    %s available of %s (boundary %s); snapshot %s%n",
        bytes(memory.path("availableBytes")),
        bytes(memory.path("capacityBytes")),
        text(memory.path("boundary")),
        bytes(status.path("snapshotBytes")));
    JsonNode delay = status.path("launchesDelayedSeconds");
    out.printf(
        "  launches  %s%n",
        delay.asDouble() > 0 ? "delayed for " + seconds(delay) + " after a kill" : "not delayed");
    out.printf("  counters  %s%n", counters(status.path("counters")));
    printRunning(status.path("running"));
    printQueued(status.path("queued"));
    printDecisions(status.path("decisions"));
  }

  private static String counters(JsonNode counters) {
    List<String> words = new ArrayList<>();
    counters
        .fields()
        .forEachRemaining(
            counter ->
                words.add(PlainText.escape(counter.getKey()) + " " + text(counter.getValue())));
    return words.isEmpty() ? ABSENT : String.join(", ", words);
  }

  private void printRunning(JsonNode running) {
    TextTable table =
        new TextTable("CONTAINER", "TYPE", "WORKING SET", "PEAK", "EXPECTED PEAK", "JOB");
    for (JsonNode container : running) {
      table.add(
          text(container.path("containerId")),
          text(container.path("executionType"))
              + (container.path("applicationMaster").asBoolean() ? ", master" : ""),
          bytes(container.path("workingSetBytes")),
          bytes(container.path("peakBytes")),
          bytes(container.path("expectedPeakBytes")),
          text(container.path("job")));
    }
    printTable("running", running, table);
  }

  private void printQueued(JsonNode queued) {
    TextTable table = new TextTable("CONTAINER", "WAITING", "REQUEST", "REASON", "JOB");
    for (JsonNode container : queued) {
      table.add(
          text(container.path("containerId")),
          seconds(container.path("waitingSeconds")),
          bytes(container.path("requestedBytes")),
          text(container.path("reason")),
          text(container.path("job")));
    }
    printTable("queued", queued, table);
  }

  private void printDecisions(JsonNode decisions) {
    TextTable table = new TextTable("TIME", "CONTAINER", "OUTCOME", "NEEDED", "LIMIT", "REASON");
    for (JsonNode decision : decisions) {
      table.add(
          text(decision.path("time")),
          text(decision.path("containerId")),
          text(decision.path("outcome")),
          bytes(decision.path("neededBytes")),
          bytes(decision.path("limitBytes")),
          text(decision.path("reason")));
    }
    printTable("last decisions", decisions, table);
  }

  private void printTable(String title, JsonNode rows, TextTable table) {
    if (!rows.isArray()) {
      out.printf("  %s: not reported%n", title);
      return;
    }
    out.printf("  %s: %d%n", title, rows.size());
    if (!rows.isEmpty()) {
      table.print(out, "    ");
    }
  }

  private static String text(JsonNode value) {
    if (value.isMissingNode() || value.isNull() || value.asText(value.toString()).isEmpty()) {
      return ABSENT;
    }
    return PlainText.escape(value.isValueNode() ? value.asText() : value.toString());
  }

  private static String bytes(JsonNode value) {
    return value.isNumber() ? PlainText.bytes(value.asLong()) : ABSENT;
  }

  private static String seconds(JsonNode value) {
    return value.isNumber() ? String.format(Locale.ROOT, "%.1f s", value.asDouble()) : ABSENT;
  }
}
