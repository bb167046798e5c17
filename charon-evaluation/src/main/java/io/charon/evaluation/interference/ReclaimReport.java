/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.evaluation.killer.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Writes the report of {@code bench reclaim}, with a row for each load and approach. */
public final class ReclaimReport {
  private static final List<String> HEADER =
      List.of(
          "production",
          "approach",
          "holds MB",
          "saved %",
          "offered MB",
          "p50 us",
          "p99 us",
          "speed, of alone",
          "came back, % a minute");
  private static final double PERCENT = 100;

  private final ReclaimResult result;
  private final Map<String, List<ReclaimCell>> rows = new LinkedHashMap<>();

  private ReclaimReport(ReclaimResult result) {
    this.result = result;
    result
        .cells()
        .forEach(
            cell ->
                rows.computeIfAbsent(
                        cell.load().label() + " " + cell.approach().label(),
                        key -> new ArrayList<>())
                    .add(cell));
  }

  /** Returns the report of a run. */
  public static Report of(ReclaimResult result) {
    return new ReclaimReport(result).report();
  }

  private Report report() {
    List<List<String>> table = new ArrayList<>();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode all = root.putArray("runs");
    rows.values().forEach(cells -> table.add(row(cells)));
    result.cells().forEach(cell -> all.add(json(cell)));
    ReclaimOptions options = result.options();
    root.put("settleSeconds", options.settle().toMillis() / 1e3);
    root.put("seconds", seconds());
    root.put("percent", options.percent());
    root.put("periodMillis", options.period().toMillis());
    root.put("waitedPercent", options.waitedPercent());
    root.put("nodeMegabytes", InterferenceNode.MEGABYTES);
    result.machine().putInto(root);
    boolean alive = result.cells().stream().allMatch(ReclaimCell::alive);
    return new Report(HEADER, table, remarks(alive), root, alive);
  }

  private double seconds() {
    return result.options().length().toMillis() / 1e3;
  }

  private static double mean(List<ReclaimCell> cells, ToDoubleFunction<ReclaimCell> measure) {
    return cells.stream().mapToDouble(measure).average().orElse(Double.NaN);
  }

  private List<String> row(List<ReclaimCell> cells) {
    ReclaimCell any = cells.get(0);
    OptionalDouble alone =
        rows.values().stream()
            .flatMap(List::stream)
            .filter(cell -> cell.load() == any.load() && cell.approach() == ReclaimApproach.LIMIT)
            .mapToDouble(cell -> cell.speed().touchesPerSecond())
            .average();
    return List.of(
        any.load().label(),
        any.approach().label(),
        number("%.0f", mean(cells, cell -> cell.memory().held())),
        number("%.0f", PERCENT * mean(cells, cell -> cell.memory().saved())),
        number("%.0f", mean(cells, ReclaimCell::offeredMegabytes)),
        number("%.1f", mean(cells, cell -> cell.speed().p50Micros())),
        number("%.1f", mean(cells, cell -> cell.speed().p99Micros())),
        alone.isPresent()
            ? number(
                "%.2f", mean(cells, cell -> cell.speed().touchesPerSecond()) / alone.getAsDouble())
            : "-",
        number("%.2f", PERCENT * mean(cells, cell -> cell.memory().promotedPerMinute(seconds()))));
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static ObjectNode json(ReclaimCell cell) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("production", cell.load().label())
        .put("approach", cell.approach().label())
        .put("startMegabytes", cell.memory().start())
        .put("heldMegabytes", cell.memory().held())
        .put("offeredMegabytes", cell.offeredMegabytes())
        .put("touchesPerSecond", cell.speed().touchesPerSecond())
        .put("p50Micros", cell.speed().p50Micros())
        .put("p99Micros", cell.speed().p99Micros())
        .put("refaultedMegabytes", cell.memory().refaulted())
        .put("takenMegabytes", cell.memory().taken())
        .put("alive", cell.alive());
  }

  private List<String> remarks(boolean alive) {
    List<String> remarks = new ArrayList<>();
    if (!alive) {
      remarks.add("Production has ended, which must never happen.");
    }
    remarks.add(
        String.format(
            Locale.ROOT,
            "A node of %d MB; production holds %d MB and uses %d. Offered: the limit of best-effort, over the last third of"
                + " %.0f s, as are the latencies of 64 touches.",
            InterferenceNode.MEGABYTES,
            ReclaimLoad.MEGABYTES,
            ReclaimLoad.USED_MEGABYTES,
            seconds()));
    remarks.add(
        String.format(
            Locale.ROOT,
            "At most %s %% each %d ms, none while production waits for %s %% of its time, after %d s. %s; %.0f s.",
            result.options().percent(),
            result.options().period().toMillis(),
            result.options().waitedPercent(),
            result.options().settle().toSeconds(),
            result.machine().text(),
            result.seconds()));
    return remarks;
  }
}
