/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints the story of one container, as its node reports it. */
final class ExplanationPrinter {
  private final PrintWriter out;

  ExplanationPrinter(PrintWriter out) {
    this.out = out;
  }

  /**
   * Prints everything that a node knows about a container.
   *
   * @param story the parts of the status document about the container
   */
  void print(ContainerStory story) {
    out.println(PlainText.escape(story.containerId()));
    story.decisions().forEach(this::printDecision);
    story.queued().ifPresent(this::printQueued);
    story.running().ifPresent(this::printRunning);
    story.kill().ifPresent(this::printKill);
    story.actions().forEach(this::printAction);
  }

  private void printAction(JsonNode action) {
    out.printf(
        "  %s  %s regulator: %s; %s%n    because   %s%n",
        CellFormat.text(action.path("time")),
        CellFormat.text(action.path("regulator")),
        CellFormat.text(action.path("action")),
        CellFormat.text(action.path("result")),
        CellFormat.text(action.path("reason")));
  }

  private void printDecision(JsonNode decision) {
    out.printf(
        "  %s  %s: %s (needed %s, limit %s)%n",
        CellFormat.text(decision.path("time")),
        CellFormat.text(decision.path("outcome")),
        CellFormat.text(decision.path("reason")),
        CellFormat.bytes(decision.path("neededBytes")),
        CellFormat.bytes(decision.path("limitBytes")));
  }

  private void printQueued(JsonNode queued) {
    out.printf(
        "  waits for %s: %s (requested %s)%n",
        CellFormat.seconds(queued.path("waitingSeconds")),
        CellFormat.text(queued.path("reason")),
        CellFormat.bytes(queued.path("requestedBytes")));
  }

  private void printRunning(JsonNode running) {
    out.printf(
        "  runs %s: working set %s, peak so far %s; requested %s, expected peak %s%n",
        CellFormat.text(running.path("executionType")),
        CellFormat.bytes(running.path("workingSetBytes")),
        CellFormat.bytes(running.path("peakBytes")),
        CellFormat.bytes(running.path("requestedBytes")),
        CellFormat.bytes(running.path("expectedPeakBytes")));
  }

  private void printKill(JsonNode kill) {
    out.printf(
        "  %s  killed by %s%n",
        CellFormat.text(kill.path("time")), CellFormat.text(kill.path("by")));
    out.printf("    because   %s%n", CellFormat.text(kill.path("reason")));
    JsonNode thrash = kill.path("thrash");
    if (thrash.isObject()) {
      printThrash(thrash);
    }
  }

  private void printThrash(JsonNode thrash) {
    out.printf(
        "    chosen    %s including swap, by %s, among %d%n",
        CellFormat.bytes(thrash.path("victimBytes")),
        CellFormat.text(thrash.path("policy")),
        thrash.path("ranking").size());
    out.printf(
        "    took      %s SIGKILL, the last %s after the decision; memory released after %s, empty after %s%n",
        CellFormat.text(thrash.path("signals")),
        CellFormat.millis(thrash.path("decisionToLastSignalMillis")),
        CellFormat.millis(thrash.path("decisionToFreedMillis")),
        CellFormat.millis(thrash.path("decisionToGoneMillis")));
    out.println("    ranking, best victim first");
    TextTable ranking = new TextTable("CONTAINER", "MEMORY", "AGE", "SCORE", "RANK");
    for (JsonNode candidate : thrash.path("ranking")) {
      ranking.add(
          CellFormat.text(candidate.path("container")),
          CellFormat.bytes(candidate.path("memoryBytes")),
          CellFormat.seconds(candidate.path("ageSeconds")),
          CellFormat.text(candidate.path("score")),
          CellFormat.text(candidate.path("rank")));
    }
    ranking.print(out, "      ");
    out.printf(
        "    refaults measured in %s, cumulative%n", CellFormat.text(thrash.path("trigger")));
    TextTable samples =
        new TextTable("BEFORE DECISION", "ANONYMOUS", "FILE", "MEMORY", "NODE UNDER PRESSURE");
    for (JsonNode sample : thrash.path("samples")) {
      samples.add(
          String.format(Locale.ROOT, "%.2f s", -sample.path("seconds").asDouble()),
          CellFormat.text(sample.path("anonymousRefaults")),
          CellFormat.text(sample.path("fileRefaults")),
          CellFormat.bytes(sample.path("memoryBytes")),
          sample.path("counted").asBoolean() ? "yes" : "no");
    }
    samples.print(out, "      ");
  }
}
