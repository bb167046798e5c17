/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import static io.charon.evaluation.report.ReportNumbers.putRounded;
import static io.charon.evaluation.report.ReportNumbers.rounded;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Reports the measurements of {@code bench killer}. */
public final class KillerReport {
  private static final List<String> HEADER =
      List.of(
          "variant",
          "MB",
          "kills",
          "not",
          "onset->decision",
          "->last SIGKILL",
          "->gone",
          "->freed",
          "freed p99",
          "SIGKILL->freed per 100 MB");

  private KillerReport() {}

  /** Returns the report of a run. */
  public static Report of(KillerResult result) {
    List<String> remarks = new ArrayList<>();
    remarks.add(
        "Milliseconds, p50 / p90 / max; the columns with -> count from the decision. p99 needs "
            + Latencies.MIN_SAMPLES_FOR_P99
            + " kills.");
    remarks.add(
        String.format(
            Locale.ROOT,
            "Linux %s, %d CPUs, cgth_time %d ms; %.0f s.",
            result.kernel(),
            result.processors(),
            result.options().tolerance().toMillis(),
            result.seconds()));
    for (KillSummary summary : result.summaries()) {
      if (summary.unfreed() > 0) {
        remarks.add(
            String.format(
                Locale.ROOT,
                "%s, %d MB: the memory of %d of %d kills was not freed within 2 s of the last exit;"
                    + " they count with that time.",
                summary.variant(),
                summary.megabytes(),
                summary.unfreed(),
                summary.count(KillMeasurement.End.KILLED)));
      }
    }
    remarks.add("");
    result.targets().forEach(target -> remarks.add(target.line()));
    return new Report(
        HEADER,
        result.summaries().stream().map(KillerReport::row).toList(),
        remarks,
        json(result),
        true);
  }

  private static List<String> row(KillSummary summary) {
    return List.of(
        summary.variant(),
        Integer.toString(summary.megabytes()),
        Long.toString(summary.count(KillMeasurement.End.KILLED)),
        Long.toString(summary.attempts().size() - summary.count(KillMeasurement.End.KILLED)),
        text(summary.onsetToDecision()),
        text(summary.decisionToLastSignal()),
        text(summary.decisionToGone()),
        text(summary.decisionToFreed()),
        text(summary.decisionToFreed().p99()),
        text(summary.signalToFreedPer100Megabytes()));
  }

  private static String text(Latencies latencies) {
    return latencies.samples().isEmpty()
        ? "-"
        : text(latencies.p50()) + " / " + text(latencies.p90()) + " / " + text(latencies.max());
  }

  private static String text(OptionalDouble millis) {
    if (millis.isEmpty()) {
      return "-";
    }
    double value = millis.getAsDouble();
    return String.format(Locale.ROOT, value < 1 ? "%.3f" : value < 100 ? "%.1f" : "%.0f", value);
  }

  private static ObjectNode json(KillerResult result) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode variants = root.putArray("variants");
    for (KillSummary summary : result.summaries()) {
      ObjectNode node = variants.addObject();
      node.put("name", summary.variant());
      node.put("containerMegabytes", summary.megabytes());
      node.put("kills", summary.count(KillMeasurement.End.KILLED));
      node.put("unfreed", summary.unfreed());
      node.put("notKilled", summary.count(KillMeasurement.End.NOT_KILLED));
      node.put("endedByLinux", summary.count(KillMeasurement.End.ENDED_BY_LINUX));
      put(node, "decisionToLastSignalMillis", summary.decisionToLastSignal());
      put(node, "decisionToGoneMillis", summary.decisionToGone());
      put(node, "decisionToFreedMillis", summary.decisionToFreed());
      put(node, "onsetToDecisionMillis", summary.onsetToDecision());
      put(node, "onsetToFreedMillis", summary.onsetToFreed());
      put(node, "signalToFreedMillisPer100Megabytes", summary.signalToFreedPer100Megabytes());
    }
    Target.putAll(root, result.targets());
    root.put("kernel", result.kernel());
    root.put("cpus", result.processors());
    root.put("cgthTimeMillis", result.options().tolerance().toMillis());
    root.put("attemptsPerVariantAndSize", result.options().kills());
    root.put("linuxOomWaitMillis", result.options().patienceWithLinux().toMillis());
    root.put("seconds", rounded(result.seconds()));
    return root;
  }

  private static void put(ObjectNode node, String field, Latencies latencies) {
    ObjectNode child = node.putObject(field);
    putRounded(child, "p50", latencies.p50());
    putRounded(child, "p90", latencies.p90());
    putRounded(child, "p99", latencies.p99());
    putRounded(child, "max", latencies.max());
    ArrayNode samples = child.putArray("samples");
    latencies.samples().forEach(sample -> samples.add(rounded(sample)));
  }
}
