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

/** Prints a status document for people. A missing field is shown as a dash, never as zero. */
final class StatusPrinter {
  private final PrintWriter out;

  StatusPrinter(PrintWriter out) {
    this.out = out;
  }

  void print(NodeAddress node, JsonNode status) {
    out.printf("%s  mode %s%n", node, CellFormat.text(status.path("mode")));
    printLate(out, status.path("tick"));
    JsonNode memory = status.path("node");
    out.printf(
        "  memory    %s available of %s (boundary %s); snapshot %s%n",
        CellFormat.bytes(memory.path("availableBytes")),
        CellFormat.bytes(memory.path("capacityBytes")),
        CellFormat.text(memory.path("boundary")),
        CellFormat.bytes(status.path("snapshotBytes")));
    JsonNode delay = status.path("launchesDelayedSeconds");
    out.printf(
        "  launches  %s%n",
        delay.asDouble() > 0
            ? "delayed for " + CellFormat.seconds(delay) + " after a kill"
            : "not delayed");
    JsonNode runnable = status.path("runnablePerCore");
    if (runnable.asDouble() > 0) {
      out.printf(
          Locale.ROOT, "  CPUs      %.2f threads run or wait for each%n", runnable.asDouble());
    }
    printProblem(status.path("configuration"));
    StopLine.print(out, status.path("stop"));
    out.printf("  counters  %s%n", counters(status.path("counters")));
    out.printf("  killer    %s%n", killer(status.path("killer")));
    printIsolation(status.path("isolation"));
    printOutside(status.path("outsideCgroups"));
    printPlacement(status.path("placement"), status.path("mode"));
    printObservation(status.path("observation"));
    RegulatorTables.printReclaimed(out, status.path("reclaimed"));
    RegulatorTables.printRegulators(out, status.path("regulators"));
    printFreeze(status.path("freeze"));
    printRunning(status.path("running"));
    printQueued(status.path("queued"));
    printDecisions(status.path("decisions"));
    printKills(status.path("kills"));
  }

  /** Printed only while what follows is not of now. */
  static void printLate(PrintWriter out, JsonNode tick) {
    if (tick.hasNonNull("late")) {
      out.printf("  LATE      %s%n", CellFormat.text(tick.path("late")));
    }
  }

  /** Printed only while the settings in force are not those of the configuration. */
  private void printProblem(JsonNode configuration) {
    if (configuration.hasNonNull("problem")) {
      out.printf(
          "  settings  not as configured: %s%n", CellFormat.text(configuration.path("problem")));
    }
  }

  private static String counters(JsonNode counters) {
    List<String> words = new ArrayList<>();
    counters
        .fields()
        .forEachRemaining(
            counter ->
                words.add(
                    PlainText.escape(counter.getKey())
                        + " "
                        + CellFormat.text(counter.getValue())));
    return words.isEmpty() ? "none" : String.join(", ", words);
  }

  private void printRunning(JsonNode running) {
    TextTable table =
        new TextTable("CONTAINER", "TYPE", "WORKING SET", "PEAK", "EXPECTED PEAK", "JOB");
    for (JsonNode container : running) {
      table.add(
          CellFormat.text(container.path("containerId")),
          CellFormat.text(container.path("executionType")) + master(container),
          CellFormat.bytes(container.path("workingSetBytes")),
          CellFormat.bytes(container.path("peakBytes")),
          CellFormat.bytes(container.path("expectedPeakBytes")),
          CellFormat.text(container.path("job")));
    }
    printTable("running", running, table);
  }

  private static String master(JsonNode container) {
    if (!container.path("applicationMaster").asBoolean()) {
      return "";
    }
    return container.hasNonNull("bestEffortMasterPercent") ? ", best-effort master" : ", master";
  }

  /** Printed only while containers run whose placement does not match the mode. */
  private void printPlacement(JsonNode placement, JsonNode mode) {
    if (!placement.isObject() || placement.path("complete").asBoolean()) {
      return;
    }
    out.printf(
        "  placement %s containers were placed by Charon, %s started without Charon; %s is "
            + "complete when the %s have ended%n",
        CellFormat.text(placement.path("enforced")),
        CellFormat.text(placement.path("untouched")),
        CellFormat.text(mode),
        List.of("enforce", "threshold").contains(mode.asText()) ? "latter" : "former");
  }

  /** Printed only in mode observe. */
  private void printObservation(JsonNode observation) {
    if (!observation.isObject()) {
      return;
    }
    out.printf(
        "  observed  for %s: production reserves %s and uses %s; best-effort could use %s now%n",
        CellFormat.seconds(observation.path("seconds")),
        CellFormat.bytes(observation.path("productionReservedBytes")),
        CellFormat.bytes(observation.path("productionUsedBytes")),
        CellFormat.bytes(observation.path("launchableBytes")));
    out.printf(
        "            Charon would have started %s best-effort containers earlier, by %s in "
            + "total, held %s back and killed %s%n",
        CellFormat.text(observation.path("startedEarlier")),
        CellFormat.seconds(observation.path("earlierSeconds")),
        CellFormat.text(observation.path("heldBack")),
        CellFormat.text(observation.path("killed")));
    printUnlessMissing("estimated", observation);
    printUnlessMissing("unavailable", observation);
  }

  private void printUnlessMissing(String what, JsonNode observation) {
    if (observation.path(what).isTextual()) {
      out.printf("            %s: %s%n", what, CellFormat.text(observation.path(what)));
    }
  }

  /** Printed only where freezing is on. */
  private void printFreeze(JsonNode freeze) {
    if (!freeze.isObject()) {
      return;
    }
    if (freeze.hasNonNull("unavailable")) {
      out.printf("  freeze     unavailable: %s%n", CellFormat.text(freeze.path("unavailable")));
      return;
    }
    TextTable table = new TextTable("CONTAINER", "FOR", "IN SWAP", "REASON");
    for (JsonNode container : freeze.path("frozen")) {
      table.add(
          CellFormat.text(container.path("containerId")),
          CellFormat.seconds(container.path("seconds")),
          CellFormat.bytes(container.path("reclaimedBytes")),
          CellFormat.text(container.path("reason")));
    }
    printTable(
        "frozen (%s)".formatted(CellFormat.text(freeze.path("mode"))),
        freeze.path("frozen"),
        table);
  }

  private void printQueued(JsonNode queued) {
    TextTable table = new TextTable("CONTAINER", "WAITING", "REQUEST", "REASON", "JOB");
    for (JsonNode container : queued) {
      table.add(
          CellFormat.text(container.path("containerId")),
          CellFormat.seconds(container.path("waitingSeconds")),
          CellFormat.bytes(container.path("requestedBytes")),
          CellFormat.text(container.path("reason")),
          CellFormat.text(container.path("job")));
    }
    printTable("queued", queued, table);
  }

  private void printDecisions(JsonNode decisions) {
    TextTable table = new TextTable("TIME", "CONTAINER", "OUTCOME", "NEEDED", "LIMIT", "REASON");
    for (JsonNode decision : decisions) {
      table.add(
          CellFormat.text(decision.path("time")),
          CellFormat.text(decision.path("containerId")),
          CellFormat.text(decision.path("outcome")),
          CellFormat.bytes(decision.path("neededBytes")),
          CellFormat.bytes(decision.path("limitBytes")),
          CellFormat.text(decision.path("reason")));
    }
    printTable("last decisions", decisions, table);
  }

  private static String killer(JsonNode killer) {
    String inCharge = CellFormat.text(killer.path("inCharge"));
    return inCharge.equals("kernel")
        ? "kernel, tier %s (%s), domain %s"
            .formatted(
                CellFormat.text(killer.path("tier")),
                CellFormat.text(killer.path("reason")),
                CellFormat.text(killer.path("domain")))
        : "%s; kernel killer: %s".formatted(inCharge, CellFormat.text(killer.path("reason")));
  }

  /** Printed only where YARN or Docker creates the cgroups of containers. */
  private void printIsolation(JsonNode isolation) {
    if (isolation.path("makers").isEmpty()) {
      return;
    }
    List<String> makers = new ArrayList<>();
    isolation.path("makers").forEach(maker -> makers.add(CellFormat.text(maker)));
    out.printf(
        "  isolation %s: YARN or Docker creates the cgroups of containers (%s)%n           "
            + " memory limit of best-effort: %s%n",
        CellFormat.text(isolation.path("kind")),
        String.join("; ", makers),
        CellFormat.text(isolation.path("memoryLimit")));
  }

  /** Printed only if a container runs outside of its cgroups. */
  private void printOutside(JsonNode outside) {
    if (outside.isMissingNode()) {
      return;
    }
    List<String> named = new ArrayList<>();
    outside
        .path("named")
        .forEach(
            one ->
                named.add(
                    "%s in %s"
                        .formatted(
                            CellFormat.text(one.path("containerId")),
                            CellFormat.text(one.path("cgroup")))));
    out.printf(
        "  OUTSIDE   %s CONTAINERS RUN OUTSIDE THEIR CGROUPS, without protection: %s%n     "
            + "       because %s; %s%n",
        CellFormat.text(outside.path("containers")),
        String.join(", ", named),
        CellFormat.text(outside.path("reason")),
        CellFormat.text(outside.path("cure")));
  }

  private void printKills(JsonNode kills) {
    TextTable table = new TextTable("TIME", "CONTAINER", "BY", "LAST SIGNAL", "FREED", "REASON");
    for (JsonNode kill : kills) {
      JsonNode thrash = kill.path("thrash");
      table.add(
          CellFormat.text(kill.path("time")),
          CellFormat.text(kill.path("containerId")),
          CellFormat.text(kill.path("by")),
          CellFormat.millis(thrash.path("decisionToLastSignalMillis")),
          CellFormat.millis(thrash.path("decisionToFreedMillis")),
          CellFormat.text(kill.path("reason")));
    }
    printTable("last kills", kills, table);
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
}
