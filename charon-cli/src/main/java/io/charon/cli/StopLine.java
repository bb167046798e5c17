/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;

/** Prints that an operator has stopped best-effort, and problems of the stop; otherwise nothing. */
final class StopLine {
  private StopLine() {}

  static void print(PrintWriter out, JsonNode stop) {
    if (!stop.path("action").asText("none").equals("none")) {
      out.printf("  stopped   %s%n", text(stop));
    }
    printSilence(out, stop.path("cluster"));
    warning(out, stop, "unavailable", "the order cannot be carried out completely");
    warning(
        out, stop, "problem", "the last order applies, because the overrides file cannot be used");
  }

  private static void printSilence(PrintWriter out, JsonNode cluster) {
    if (cluster.hasNonNull("problem")) {
      out.printf(
          "  stop      of the cluster: %s; the last known order applies (%s)%n",
          cluster.hasNonNull("ageSeconds")
              ? "last contact " + CellFormat.seconds(cluster.path("ageSeconds")) + " ago"
              : "no contact yet",
          CellFormat.text(cluster.path("problem")));
    }
  }

  /** Since when, by whom and why. */
  static String text(JsonNode stop) {
    return "since %s by %s, %s%s (%s)"
        .formatted(
            CellFormat.text(stop.path("since")),
            CellFormat.text(stop.path("by")),
            stop.path("origin").asText().equals("cluster") ? "in the cluster" : "on this node",
            stop.hasNonNull("reason") ? ": " + CellFormat.text(stop.path("reason")) : "",
            what(stop));
  }

  private static String what(JsonNode stop) {
    return switch (stop.path("action").asText()) {
      case "leave" -> "leave: running containers continue";
      case "freeze" ->
          "freeze: %s containers are frozen".formatted(CellFormat.text(stop.path("frozen")));
      case "kill" -> "kill: running containers are killed";
      default -> CellFormat.text(stop.path("action"));
    };
  }

  private static void warning(PrintWriter out, JsonNode stop, String field, String meaning) {
    if (stop.hasNonNull(field)) {
      out.printf("  stop      %s: %s%n", meaning, CellFormat.text(stop.path(field)));
    }
  }
}
