/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.evaluation.killer.ThrashModelResult.ThrashBaseline;
import io.charon.evaluation.killer.ThrashModelResult.ThrashMachine;
import io.charon.evaluation.report.ReportFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reports the measurements of {@code bench thrash-model}. */
public final class ThrashModelReport {
  private static final List<String> HEADER =
      List.of("program", "ratio", "slowdown", "us per refault", "n", "ended by Linux");

  private ThrashModelReport() {}

  /** Returns the report of a run. */
  public static Report of(ThrashModelResult result) {
    List<String> remarks = new ArrayList<>();
    remarks.add("ratio: used over available memory. Median (lowest to highest).");
    remarks.add("shared limit: of both programs that compute, each in its own container.");
    remarks.addAll(provenance(result));
    remarks.add(String.format(Locale.ROOT, "%.0f s.", result.seconds()));
    return new Report(
        HEADER,
        result.points().stream().map(ThrashModelReport::row).toList(),
        remarks,
        json(result),
        true);
  }

  /**
   * Writes the model file that the simulator ships.
   *
   * @throws IOException if there is no curve, or the file cannot be written
   */
  public static void writeModel(ThrashModelResult result, Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    comment(text, "How much longer work takes when memory in use does not fit. Lists go by point:");
    comment(text, "  ratio            memory in use over memory to be had");
    comment(text, "  slowdown         time over time without a limit");
    comment(text, "  nanos-per-fault  time for which one refault holds the work up");
    comment(text, "Written by: bin/charon bench thrash-model --out FILE");
    provenance(result).forEach(line -> comment(text, line));
    comment(text, "Median (lowest to highest) of the slowdown, and the median time of a refault:");
    for (ThrashPoint point : result.points()) {
      if (point.shared()) {
        continue;
      }
      comment(
          text,
          String.format(
              Locale.ROOT,
              "  %-26s  %.2f  %s",
              point.label(),
              point.ratio(),
              point.survived()
                  ? slowdown(point)
                      + String.format(
                          Locale.ROOT, "  %.1f us", point.nanosPerRefaultMedian() / 1000)
                  : "ended by Linux's OOM killer"));
    }
    text.append(result.model().toProperties());
    ReportFiles.write(file, text);
  }

  private static void comment(StringBuilder text, String line) {
    text.append("# ").append(line).append('\n');
  }

  /** Describes the measurement and its machine, without a date so that the text is reproducible. */
  private static List<String> provenance(ThrashModelResult result) {
    ThrashMachine machine = result.machine();
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "Linux %s, %d CPUs, cgroup v%d, swap on zram (%d MB, the kernel's default compressor),"
                + " files on %s.",
            machine.kernel(),
            machine.processors(),
            machine.cgroupVersion(),
            machine.swapMegabytes(),
            machine.disk()));
    lines.add(
        String.format(
            Locale.ROOT,
            "Program: kernel-ua-killer's workload, one thread, random pages of a working set of %d"
                + " MB, all alike.",
            machine.workingSetMegabytes()));
    lines.add(
        String.format(
            Locale.ROOT,
            "%d repetitions; %d ms to settle and %d ms measured each. Without a limit, one touch"
                + " with its computation takes:",
            result.options().repetitions(),
            result.options().interval().toMillis(),
            result.options().interval().toMillis()));
    for (ThrashBaseline baseline : result.baselines()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  %-26s  %.2f us (%d steps of xorshift)",
              baseline.program().label(),
              baseline.nanosPerTouchMedian() / 1000,
              baseline.program().steps()));
    }
    return lines;
  }

  private static List<String> row(ThrashPoint point) {
    boolean any = !point.slowdowns().isEmpty();
    // Side by side, the counters are not read at the moments that the programs report.
    boolean counted = any && !point.shared();
    return List.of(
        point.label(),
        String.format(Locale.ROOT, "%.2f", point.ratio()),
        any ? slowdown(point) : "-",
        counted ? String.format(Locale.ROOT, "%.1f", point.nanosPerRefaultMedian() / 1000) : "-",
        Integer.toString(point.slowdowns().size()),
        Integer.toString(point.endedByLinux()));
  }

  private static String slowdown(ThrashPoint point) {
    return String.format(
        Locale.ROOT,
        "%.2f (%.2f to %.2f)",
        point.slowdown(),
        point.slowdownLow(),
        point.slowdownHigh());
  }

  private static ObjectNode json(ThrashModelResult result) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode programs = root.putArray("programs");
    for (ThrashBaseline baseline : result.baselines()) {
      ObjectNode node = programs.addObject();
      node.put("name", baseline.program().label());
      node.put("steps", baseline.program().steps());
      node.put("nanosPerTouch", baseline.nanosPerTouchMedian());
      ArrayNode points = node.putArray("points");
      result.points(baseline.program(), false).forEach(point -> put(points.addObject(), point));
      ArrayNode shared = node.putArray("sharedLimitPoints");
      result.points(baseline.program(), true).forEach(point -> put(shared.addObject(), point));
    }
    ThrashMachine machine = result.machine();
    root.put("kernel", machine.kernel());
    root.put("cpus", machine.processors());
    root.put("cgroupVersion", machine.cgroupVersion());
    root.put("swapMegabytes", machine.swapMegabytes());
    root.put("disk", machine.disk());
    root.put("workingSetMegabytes", machine.workingSetMegabytes());
    root.put("repetitions", result.options().repetitions());
    root.put("intervalMillis", result.options().interval().toMillis());
    return root;
  }

  private static void put(ObjectNode node, ThrashPoint point) {
    node.put("ratio", point.ratio());
    if (point.slowdowns().isEmpty()) {
      node.putNull("slowdown");
    } else {
      node.put("slowdown", point.slowdown());
    }
    if (!point.slowdowns().isEmpty() && !point.shared()) {
      node.put("nanosPerRefault", point.nanosPerRefaultMedian());
    }
    node.put("endedByLinux", point.endedByLinux());
    ArrayNode samples = node.putArray("slowdownSamples");
    point.slowdowns().forEach(samples::add);
  }
}
