/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.evaluation.killer.Report;
import io.charon.sls.burst.QuotaVariant;
import io.charon.sls.run.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * Reports the measurements of {@code bench burst}: a row for each load and variant, over all
 * repetitions.
 */
public final class BurstReport {
  private static final List<String> HEADER =
      List.of(
          "load",
          "quota",
          "late ms, mean",
          "saved",
          "p95",
          "Delay_max ms",
          "U_max %",
          "more",
          "throttled apps %",
          "periods %");
  private static final double PERCENT = 100;
  private static final String UNKNOWN = "-";

  private final BurstResult result;
  private final Map<String, List<BurstCell>> rows = new LinkedHashMap<>();

  private BurstReport(BurstResult result) {
    this.result = result;
    for (double load : result.options().loads()) {
      for (QuotaVariant variant : BurstBench.variants()) {
        collect(load, variant, false);
        collect(load, variant, true);
      }
    }
  }

  private void collect(double load, QuotaVariant variant, boolean again) {
    List<BurstCell> cells =
        result.cells().stream()
            .filter(cell -> cell.load() == load)
            .filter(cell -> cell.variant() == variant && cell.again() == again)
            .toList();
    if (!cells.isEmpty()) {
      rows.put(key(load, cells.get(0).label()), cells);
    }
  }

  private static String key(double load, String label) {
    return load + " " + label;
  }

  /** Returns the report of a run. */
  public static Report of(BurstResult result) {
    return new BurstReport(result).report();
  }

  private Report report() {
    List<List<String>> table = new ArrayList<>();
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode all = root.putArray("rows");
    for (List<BurstCell> cells : rows.values()) {
      table.add(row(cells));
      all.add(json(cells));
    }
    root.put("applications", result.options().applications());
    root.put("quotaMicros", result.share().quotaMicros());
    root.put("periodMicros", result.share().periodMicros());
    root.put("seconds", result.options().seconds());
    root.put("repetitions", result.options().repetitions());
    root.put("seed", result.options().seed());
    root.put("poolHighUse", result.options().poolHigh());
    result.machine().putInto(root);
    return new Report(HEADER, table, remarks(), root, true);
  }

  private static Estimate estimate(List<BurstCell> cells, ToDoubleFunction<BurstCell> measure) {
    return Estimate.of(cells.stream().mapToDouble(measure).boxed().toList());
  }

  private OptionalDouble mean(
      double load, QuotaVariant variant, boolean again, ToDoubleFunction<BurstCell> measure) {
    return rows.values().stream()
        .filter(cells -> cells.get(0).load() == load)
        .filter(cells -> cells.get(0).variant() == variant && cells.get(0).again() == again)
        .mapToDouble(cells -> estimate(cells, measure).mean())
        .findFirst();
  }

  /**
   * Returns the share of the delay caused by a quota that is gone; empty if a measurement is
   * missing or the quota causes no delay.
   */
  private OptionalDouble saved(List<BurstCell> cells) {
    double load = cells.get(0).load();
    OptionalDouble none = mean(load, QuotaVariant.NONE, false, BurstCell::meanMillis);
    OptionalDouble least = mean(load, QuotaVariant.UNLIMITED, false, BurstCell::meanMillis);
    if (none.isEmpty() || least.isEmpty() || none.getAsDouble() <= least.getAsDouble()) {
      return OptionalDouble.empty();
    }
    double here = estimate(cells, BurstCell::meanMillis).mean();
    return OptionalDouble.of(
        1 - (here - least.getAsDouble()) / (none.getAsDouble() - least.getAsDouble()));
  }

  private OptionalDouble more(List<BurstCell> cells) {
    OptionalDouble none =
        mean(cells.get(0).load(), QuotaVariant.NONE, false, BurstCell::highestUse);
    return none.isEmpty()
        ? none
        : OptionalDouble.of(estimate(cells, BurstCell::highestUse).mean() - none.getAsDouble());
  }

  private List<String> row(List<BurstCell> cells) {
    return List.of(
        text("%.0f %%", PERCENT * cells.get(0).load()),
        cells.get(0).label(),
        text(estimate(cells, BurstCell::meanMillis), 1, 2),
        percent("%.1f %%", saved(cells)),
        text(estimate(cells, BurstCell::p95Millis), 1, 1),
        text(estimate(cells, BurstCell::meanOfHighestMillis), 1, 0),
        text(estimate(cells, BurstCell::highestUse), PERCENT, 1),
        percent("%+.1f", more(cells)),
        text(estimate(cells, BurstCell::throttledApplications), PERCENT, 1),
        text(estimate(cells, BurstCell::throttledPeriods), PERCENT, 2));
  }

  private List<String> remarks() {
    BurstOptions options = result.options();
    List<String> remarks = new ArrayList<>();
    remarks.add(
        text(
            "Late: how much later a burst ended than with a processor of its own. %d "
                + "applications with a quota of %.3f cores each, bursts of %.1f ms of CPU time on "
                + "average; %d s, %d times; seeds from %d.",
            options.applications(),
            result.share().cores(),
            BurstOptions.meanWorkNanos(result.share()) / 1e6,
            options.seconds(),
            options.repetitions(),
            options.seed()));
    remarks.add(
        "Saved: share of the lateness above unlimited that is avoided. U_max: highest use "
            + "over half a second, percent of all quotas; more: percentage points above none. "
            + "The lateness that remains without a quota is the machine's.");
    options.loads().forEach(load -> same(load).ifPresent(remarks::add));
    remarks.add(
        text(
            "The shared pool reclaims quotas above %.0f %%. %s; %.0f s.",
            PERCENT * options.poolHigh(), result.machine().text(), result.seconds()));
    return remarks;
  }

  /** Compares the two measurements of the variant that was measured twice. */
  private Optional<String> same(double load) {
    OptionalDouble once = mean(load, QuotaVariant.NONE, false, BurstCell::meanMillis);
    OptionalDouble again = mean(load, QuotaVariant.NONE, true, BurstCell::meanMillis);
    if (once.isEmpty() || again.isEmpty()) {
      return Optional.empty();
    }
    double highest =
        mean(load, QuotaVariant.NONE, true, BurstCell::highestUse).orElseThrow()
            - mean(load, QuotaVariant.NONE, false, BurstCell::highestUse).orElseThrow();
    return Optional.of(
        text(
            "A/A at %.0f %%: none again is %+.1f %% late against none, its U_max %+.1f points.",
            PERCENT * load,
            PERCENT * (again.getAsDouble() / once.getAsDouble() - 1),
            PERCENT * highest));
  }

  private ObjectNode json(List<BurstCell> cells) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("load", cells.get(0).load());
    node.put("variant", cells.get(0).label());
    node.put("bursts", cells.stream().mapToInt(BurstCell::bursts).sum());
    put(node, "meanLateMillis", cells, BurstCell::meanMillis);
    put(node, "p95LateMillis", cells, BurstCell::p95Millis);
    put(node, "meanOfHighestMillis", cells, BurstCell::meanOfHighestMillis);
    put(node, "meanUse", cells, BurstCell::meanUse);
    put(node, "highestUse", cells, BurstCell::highestUse);
    put(node, "throttledApplications", cells, BurstCell::throttledApplications);
    put(node, "throttledPeriods", cells, BurstCell::throttledPeriods);
    saved(cells).ifPresentOrElse(share -> node.put("saved", share), () -> node.putNull("saved"));
    return node;
  }

  private static void put(
      ObjectNode node, String name, List<BurstCell> cells, ToDoubleFunction<BurstCell> measure) {
    ArrayNode repetitions = node.putArray(name);
    for (BurstCell cell : cells) {
      double value = measure.applyAsDouble(cell);
      if (Double.isFinite(value)) {
        repetitions.add(value);
      } else {
        repetitions.addNull();
      }
    }
  }

  private static String percent(String format, OptionalDouble share) {
    return share.isPresent() ? text(format, PERCENT * share.getAsDouble()) : UNKNOWN;
  }

  private static String text(Estimate estimate, double unit, int digits) {
    return Double.isFinite(estimate.mean()) ? estimate.text(unit, digits) : UNKNOWN;
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
