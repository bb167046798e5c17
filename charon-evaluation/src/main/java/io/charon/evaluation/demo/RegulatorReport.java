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

/** Describes the actions of the regulators as text. */
final class RegulatorReport {
  private static final double MEBIBYTE = 1024 * 1024;

  private RegulatorReport() {}

  /** Returns a paragraph for each mode with regulators; empty if there are none. */
  static List<String> lines(DemoResult result) {
    List<String> lines = new ArrayList<>();
    for (DemoModeSummary mode : result.modes().values()) {
      List<RegulatorTrace> traces = mode.runs().get(0).observations().regulators();
      if (!traces.isEmpty()) {
        lines.add("");
        lines.add("Regulators in mode " + mode.mode().label() + ":");
        traces.forEach(trace -> describe(trace, lines));
      }
    }
    return lines;
  }

  private static void describe(RegulatorTrace trace, List<String> lines) {
    lines.add(
        String.format(
            Locale.ROOT,
            "  %s %s, by the %s of production: best-effort was allowed %s to %s",
            trace.node(),
            trace.name(),
            trace.signal(),
            limit(trace.lowestLimit(), trace.limitUnit()),
            limit(trace.highestLimit(), trace.limitUnit())));
    trace
        .secondsByCause()
        .forEach(
            (cause, seconds) ->
                lines.add(String.format(Locale.ROOT, "    %4d s  %s", seconds, cause)));
    lines.add("    last: " + trace.last());
  }

  private static String limit(OptionalDouble limit, String unit) {
    if (limit.isEmpty()) {
      return "-";
    }
    return unit.equals("bytes")
        ? String.format(Locale.ROOT, "%.0f MiB", limit.getAsDouble() / MEBIBYTE)
        : String.format(Locale.ROOT, "%.2f %s", limit.getAsDouble(), unit);
  }
}
