/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.evaluation.statistics.RatioEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reports the measurements of {@code bench overhead}. */
public final class OverheadReport {
  private static final List<String> HEADER =
      List.of("attached", "minor fault ns", "ratio (95 %)", "major fault ns", "ratio (95 %)", "n");

  private OverheadReport() {}

  /** Returns the report of a run. */
  public static Report of(OverheadResult result) {
    List<String> remarks = new ArrayList<>();
    remarks.add("CPU time of each fault, median; ratio to none, with a 95 % bootstrap interval.");
    remarks.add(
        "none-again is also measured with nothing attached: the difference of its ratio "
            + "from 1 is noise.");
    remarks.add(
        String.format(
            Locale.ROOT,
            "Linux %s, %d CPUs; %.0f s.",
            result.kernel(),
            result.processors(),
            result.seconds()));
    remarks.add("");
    result.targets().forEach(target -> remarks.add(target.line()));
    return new Report(
        HEADER,
        result.costs().stream().map(costs -> row(result, costs)).toList(),
        remarks,
        json(result),
        true);
  }

  private static List<String> row(OverheadResult result, FaultCosts costs) {
    return List.of(
        costs.variant(),
        String.format(Locale.ROOT, "%.0f", costs.minorMedian()),
        OverheadResult.text(result.minorRatio(costs)),
        String.format(Locale.ROOT, "%.0f", costs.majorMedian()),
        OverheadResult.text(result.majorRatio(costs)),
        Integer.toString(costs.minorNanos().size()));
  }

  private static ObjectNode json(OverheadResult result) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode variants = root.putArray("variants");
    for (FaultCosts costs : result.costs()) {
      RatioEstimate minor = result.minorRatio(costs);
      RatioEstimate major = result.majorRatio(costs);
      ObjectNode node = variants.addObject();
      node.put("name", costs.variant());
      node.put("minorFaultNanos", costs.minorMedian());
      node.put("majorFaultNanos", costs.majorMedian());
      node.put("minorRatioToNone", minor.ratio());
      node.put("majorRatioToNone", major.ratio());
      // Fields without a prefix belong to the major fault, whose target is a number.
      node.put("ratioLow95", major.low95());
      node.put("ratioHigh95", major.high95());
      node.put("minorRatioLow95", minor.low95());
      node.put("minorRatioHigh95", minor.high95());
      node.put("repetitions", costs.minorNanos().size());
      ArrayNode minors = node.putArray("minorSamples");
      costs.minorNanos().forEach(minors::add);
      ArrayNode majors = node.putArray("majorSamples");
      costs.majorNanos().forEach(majors::add);
    }
    Target.putAll(root, result.targets());
    root.put("kernel", result.kernel());
    root.put("cpus", result.processors());
    return root;
  }
}
