/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Formats the result as text: a table with a column for each mode, then the checks. */
final class DemoReport {
  private static final int LABEL_WIDTH = 34;
  private static final int COLUMN_WIDTH = 12;

  private DemoReport() {}

  static List<String> lines(DemoResult result) {
    List<DemoModeSummary> modes = List.copyOf(result.modes().values());
    List<String> lines = new ArrayList<>();
    lines.add(row("", modes, mode -> mode.mode().label()));
    lines.add("-".repeat(LABEL_WIDTH + COLUMN_WIDTH * modes.size()));
    lines.add(row("best-effort tasks done and checked", modes, mode -> count(mode.tasks())));
    lines.add(
        row("  MB that they read", modes, mode -> count(Math.rint(mode.verifiedMegabytes()))));
    lines.add(row("best-effort jobs submitted", modes, mode -> count(mode.submitted())));
    lines.add(row("  completed", modes, mode -> count(mode.completed())));
    lines.add(row("  failed", modes, mode -> count(mode.failed())));
    lines.add(row("  unfinished", modes, mode -> count(mode.unfinished())));
    lines.add(row("  completion time, median", modes, mode -> seconds(mode.completionSeconds(50))));
    lines.add(row("  completion time, 95 %", modes, mode -> seconds(mode.completionSeconds(95))));
    lines.add(
        row("production's batch, median", modes, mode -> millis(1000 * mode.batchSeconds(50))));
    lines.add(row("  95 %", modes, mode -> millis(1000 * mode.batchSeconds(95))));
    lines.add(
        row("  by itself, before best-effort", modes, mode -> millis(1000 * mode.beforeSeconds())));
    lines.add(
        row("  by itself, after best-effort", modes, mode -> millis(1000 * mode.afterSeconds())));
    lines.add(
        row(
            "production's whole time",
            modes,
            mode -> seconds(OptionalDouble.of(mode.productionSeconds()))));
    lines.add(
        row(
            "  of this working on batches",
            modes,
            mode -> seconds(OptionalDouble.of(mode.productionBusySeconds()))));
    lines.add(
        row(
            "processors that best-effort took",
            modes,
            mode ->
                String.format(
                    Locale.ROOT,
                    "%.2f",
                    new ContainerResourceUse(mode.runs().get(0).observations(), result.plan())
                        .bestEffortProcessors())));
    lines.add(row("memory utilization", modes, mode -> percent(mode.memoryUtilization())));
    lines.add(row("best-effort containers launched", modes, containers(ContainerCounts::launched)));
    lines.add(row("  rejected (queue full)", modes, containers(ContainerCounts::rejected)));
    lines.add(row("  shed by the ResourceManager", modes, containers(ContainerCounts::shed)));
    lines.add(row("  killed for memory", modes, containers(ContainerCounts::killed)));
    lines.add(row("memory is taken back by", modes, DemoModeSummary::killer));
    lines.add(
        row("  decision to SIGKILL, median", modes, mode -> millis(mode.lastSignalMillis(50))));
    lines.add(row("  decision to freed, median", modes, mode -> millis(mode.freedMillis(50))));
    lines.add("");
    Bound bound = Bound.of(result);
    if (bound != null) {
      lines.add(
          String.format(
              Locale.ROOT,
              "At most %.1f times stock YARN's work is possible: memory holds %.1f tasks, processors %.1f,"
                  + " stock YARN's reservations %.1f.",
              bound.factor(),
              bound.memorySlots(),
              bound.processorSlots(),
              bound.stockSlots()));
    }
    for (DemoRunResult run : result.discarded()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "Not compared, because the machine kept its pace less well: %s, %d tasks done, production's"
                  + " median batch %.1f ms, %.1f ms before and %.1f ms after.",
              run.mode().label(),
              run.work().tasks(),
              1000 * run.production().windowPercentile(50),
              1000 * run.production().beforeP50(),
              1000 * run.production().afterP50()));
    }
    result.verdicts().forEach(verdict -> lines.add(verdict.line()));
    return lines;
  }

  private static String row(
      String label, List<DemoModeSummary> modes, Function<DemoModeSummary, String> value) {
    return String.format(Locale.ROOT, "%-" + LABEL_WIDTH + "s", label)
        + modes.stream()
            .map(mode -> String.format(Locale.ROOT, "%" + COLUMN_WIDTH + "s", value.apply(mode)))
            .collect(Collectors.joining());
  }

  private static Function<DemoModeSummary, String> containers(
      Function<ContainerCounts, Long> value) {
    return mode -> mode.containers().map(value).map(Object::toString).orElse("-");
  }

  private static String count(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.1f", value);
  }

  private static String seconds(OptionalDouble value) {
    return value.isPresent() && !Double.isNaN(value.getAsDouble())
        ? String.format(Locale.ROOT, "%.1f s", value.getAsDouble())
        : "-";
  }

  private static String millis(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f ms", value);
  }

  private static String millis(OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, "%.2f ms", value.getAsDouble()) : "-";
  }

  private static String percent(OptionalDouble value) {
    return value.isPresent()
        ? String.format(Locale.ROOT, "%.0f %%", value.getAsDouble() * 100)
        : "-";
  }
}
