/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import static io.charon.evaluation.report.ReportNumbers.rounded;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.evaluation.killer.Report;
import io.charon.evaluation.killer.Target;
import io.charon.evaluation.statistics.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reports the measurements of {@code bench launch}. */
public final class LaunchReport {
  private static final List<String> HEADER =
      List.of(
          "executor",
          "containers",
          "each",
          "stock p50",
          "charon p50",
          "more, median (95 %)",
          "stock again, median (95 %)",
          "stock p99",
          "charon p99",
          "stock again p99",
          "outside its cgroup");
  private static final double MEDIAN = 50;
  private static final double TAIL = 99;

  private LaunchReport() {}

  /** Returns the report of a run. */
  public static Report of(LaunchResult result) {
    List<LaunchSeries> measured =
        result.series().stream().filter(series -> series.rounds() > 0).toList();
    List<Target> targets =
        measured.stream().flatMap(series -> LaunchTargets.of(series).stream()).toList();
    List<String> remarks = new ArrayList<>(remarks(result));
    if (measured.stream().anyMatch(series -> series.rounds() < LaunchTargets.MIN_ROUNDS)) {
      remarks.add(
          "Times are judged from " + LaunchTargets.MIN_ROUNDS + " launches of each kind on.");
    }
    remarks.add("");
    targets.forEach(target -> remarks.add(target.line()));
    return new Report(
        HEADER,
        measured.stream().map(LaunchReport::row).toList(),
        remarks,
        json(result, measured, targets),
        !measured.isEmpty() && targets.stream().allMatch(Target::met));
  }

  private static List<String> remarks(LaunchResult result) {
    List<String> remarks = new ArrayList<>();
    remarks.add(
        "Milliseconds from the executor's launchContainer to the first instruction of the container's command.");
    if (result.options().executors().contains(LaunchExecutor.LINUX)) {
      remarks.add("container-executor: " + result.options().program());
    }
    remarks.add(
        String.format(
            Locale.ROOT,
            "Linux %s, cgroup v%d, %d CPUs, load %.1f before; %s the kernel UA killer; %d rounds measured again; %.0f s.",
            result.machine().kernel(),
            result.machine().cgroups(),
            result.machine().processors(),
            result.machine().loadAverage(),
            result.kernelKiller() ? "with" : "without",
            result.repeated(),
            result.seconds()));
    return remarks;
  }

  private static List<String> row(LaunchSeries series) {
    return List.of(
        series.executor().label(),
        series.containers().directoryName(),
        Integer.toString(series.rounds()),
        text(series, LaunchVariant.STOCK, MEDIAN),
        text(series, LaunchVariant.CHARON, MEDIAN),
        text(more(series, LaunchVariant.CHARON)),
        text(more(series, LaunchVariant.STOCK_AGAIN)),
        text(series, LaunchVariant.STOCK, TAIL),
        text(series, LaunchVariant.CHARON, TAIL),
        text(series, LaunchVariant.STOCK_AGAIN, TAIL),
        series.outside() + " of " + series.started());
  }

  private static MedianEstimate more(LaunchSeries series, LaunchVariant variant) {
    return MedianEstimate.ofDifferences(series.millis(variant), series.millis(LaunchVariant.STOCK));
  }

  private static String text(MedianEstimate estimate) {
    return String.format(
        Locale.ROOT,
        "%+.2f (%+.2f to %+.2f)",
        estimate.median(),
        estimate.low95(),
        estimate.high95());
  }

  private static String text(LaunchSeries series, LaunchVariant variant, double percent) {
    return String.format(Locale.ROOT, "%.1f", percentile(series, variant, percent));
  }

  private static double percentile(LaunchSeries series, LaunchVariant variant, double percent) {
    return Percentiles.of(series.millis(variant), percent).orElseThrow();
  }

  private static ObjectNode json(
      LaunchResult result, List<LaunchSeries> measured, List<Target> targets) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode all = root.putArray("series");
    for (LaunchSeries series : measured) {
      ObjectNode node =
          all.addObject()
              .put("executor", series.executor().label())
              .put("containers", series.containers().directoryName())
              .put("launches", series.rounds())
              .put("started", series.started())
              .put("outsideCgroup", series.outside());
      put(node.putObject("stock"), series, LaunchVariant.STOCK);
      put(node.putObject("charon"), series, LaunchVariant.CHARON);
      put(node.putObject("stockAgain"), series, LaunchVariant.STOCK_AGAIN);
      put(node.putObject("moreMillis"), more(series, LaunchVariant.CHARON));
      put(node.putObject("stockAgainMoreMillis"), more(series, LaunchVariant.STOCK_AGAIN));
      if (series.rounds() >= LaunchTargets.MIN_ROUNDS) {
        TailComparison tail = TailComparison.of(series);
        node.put("p99ExcessMillis", rounded(tail.excessMillis()))
            .put("p99SpreadMillis", rounded(tail.spreadMillis()));
      } else {
        node.putNull("p99ExcessMillis").putNull("p99SpreadMillis");
      }
    }
    Target.putAll(root, targets);
    return root.put("kernelKiller", result.kernelKiller())
        .put("kernel", result.machine().kernel())
        .put("cgroups", result.machine().cgroups())
        .put("cpus", result.machine().processors())
        .put("loadAverage", result.machine().loadAverage())
        .put("repeatedRounds", result.repeated())
        .put("seconds", rounded(result.seconds()));
  }

  private static void put(ObjectNode node, LaunchSeries series, LaunchVariant variant) {
    node.put("p50Millis", rounded(percentile(series, variant, MEDIAN)))
        .put("p99Millis", rounded(percentile(series, variant, TAIL)));
  }

  private static void put(ObjectNode node, MedianEstimate estimate) {
    node.put("median", rounded(estimate.median()))
        .put("low95", rounded(estimate.low95()))
        .put("high95", rounded(estimate.high95()));
  }
}
