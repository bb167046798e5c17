/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.run.ComparedRun;
import io.charon.sls.run.RunResult;
import io.charon.sls.run.SideResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The result of {@code charon sls run} as a table and as CSV. */
final class SlsResultPrinter {
  private final List<ComparedRun> runs;
  private final double wallSeconds;

  SlsResultPrinter(List<ComparedRun> runs, double wallSeconds) {
    this.runs = runs;
    this.wallSeconds = wallSeconds;
  }

  /** Prints a line for each run, and how fast they were. */
  void print(PrintWriter out) {
    TextTable table =
        new TextTable(
            "policy",
            "load",
            "seed",
            "completed",
            "rate",
            "failed",
            "p50 s",
            "p99 s",
            "production",
            "slowdown p50",
            "p90",
            "kills",
            "rejected",
            "lost h",
            "memory");
    double virtual = ComparedRun.virtualSeconds(runs);
    for (ComparedRun compared : runs) {
      RunResult run = compared.run();
      SideResult bestEffort = run.bestEffort();
      table.add(
          run.policy().key() + (run.partial() ? " (partial)" : ""),
          "X" + run.load(),
          Long.toString(run.seed()),
          bestEffort.completed() + "/" + bestEffort.submitted(),
          number(bestEffort.completionRate(), "%.3f"),
          Integer.toString(bestEffort.failed()),
          number(bestEffort.percentileSeconds(50), "%.0f"),
          number(bestEffort.percentileSeconds(99), "%.0f"),
          run.production().completed() + "/" + run.production().submitted(),
          number(compared.productionSlowdown(50), "%.3f"),
          number(compared.productionSlowdown(90), "%.3f"),
          Integer.toString(kills(run)),
          Integer.toString(run.rejections()),
          number(run.lostWorkSeconds() / 3600, "%.1f"),
          number(run.memoryUtilization(), "%.2f"));
    }
    out.println();
    table.print(out, "");
    out.println();
    out.printf(
        Locale.ROOT,
        "%.0f virtual seconds in %.1f s of wall time: %.0f for each, runs of production alone included.%n",
        virtual,
        wallSeconds,
        virtual / wallSeconds);
    out.flush();
  }

  /** Writes runs.csv and completion-times.csv. */
  void writeCsv(Path directory) throws IOException {
    Files.createDirectories(directory);
    List<String> lines = new ArrayList<>();
    lines.add(
        "policy,load,seed,side,submitted,completed,failed,unfinished,p50Seconds,p90Seconds,p99Seconds,kills,"
            + "rejections,lostWorkSeconds,memoryUtilization,partial");
    List<String> times = new ArrayList<>();
    times.add("policy,load,seed,side,completionSeconds");
    for (ComparedRun compared : runs) {
      RunResult run = compared.run();
      for (Map.Entry<String, SideResult> side :
          List.of(
              Map.entry("best-effort", run.bestEffort()),
              Map.entry("production", run.production()))) {
        String key =
            "%s,%d,%d,%s".formatted(run.policy().key(), run.load(), run.seed(), side.getKey());
        SideResult result = side.getValue();
        lines.add(
            "%s,%d,%d,%d,%d,%s,%s,%s,%d,%d,%.1f,%.4f,%s"
                .formatted(
                    key,
                    result.submitted(),
                    result.completed(),
                    result.failed(),
                    result.unfinished(),
                    number(result.percentileSeconds(50), "%.3f"),
                    number(result.percentileSeconds(90), "%.3f"),
                    number(result.percentileSeconds(99), "%.3f"),
                    kills(run),
                    run.rejections(),
                    run.lostWorkSeconds(),
                    run.memoryUtilization(),
                    run.partial()));
        result
            .completionSeconds()
            .values()
            .forEach(seconds -> times.add(key + "," + number(seconds, "%.3f")));
      }
    }
    Files.write(directory.resolve("runs.csv"), lines, StandardCharsets.UTF_8);
    Files.write(directory.resolve("completion-times.csv"), times, StandardCharsets.UTF_8);
  }

  private static int kills(RunResult run) {
    return run.killsByCause().values().stream().mapToInt(Integer::intValue).sum();
  }

  private static String number(double value, String format) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "-";
  }
}
