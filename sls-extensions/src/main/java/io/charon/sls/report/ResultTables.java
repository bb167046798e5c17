/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.report;

import io.charon.sls.run.ComparedRun;
import io.charon.sls.run.Estimate;
import io.charon.sls.run.Measure;
import io.charon.sls.run.MemorySample;
import io.charon.sls.run.RunResult;
import io.charon.sls.run.RunSettings;
import io.charon.sls.run.SideResult;
import io.charon.sls.run.Summary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Writes a result as CSV files, for spreadsheets and other programs. */
final class ResultTables {
  private final SimulationResult result;

  /** Prepares the tables of a result. */
  ResultTables(SimulationResult result) {
    this.result = result;
  }

  /** The content of one file. */
  @FunctionalInterface
  private interface Table {
    void write(PrintWriter csv);
  }

  /**
   * Writes summary.csv, runs.csv, completion-times.csv and memory.csv.
   *
   * @throws IOException if a file cannot be written, including for lack of space
   */
  void write(Path folder) throws IOException {
    write(folder.resolve("summary.csv"), this::summary);
    write(folder.resolve("runs.csv"), this::runs);
    write(folder.resolve("completion-times.csv"), this::completionTimes);
    write(folder.resolve("memory.csv"), this::memory);
  }

  private static void write(Path file, Table table) throws IOException {
    try (PrintWriter csv = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
      table.write(csv);
      // A PrintWriter reports errors only through this method.
      if (csv.checkError()) {
        throw new IOException(file + ": cannot be written; is the disk full?");
      }
    }
  }

  private void summary(PrintWriter csv) {
    csv.print("policy,load,seeds,measure,mean,low95,high95\n");
    for (Summary summary : result.summaries()) {
      for (Measure measure : Measure.values()) {
        Estimate estimate = summary.of(measure);
        csv.printf(
            Locale.ROOT,
            "%s,%d,%d,%s,%s,%s,%s\n",
            summary.cell().policy(),
            summary.cell().load(),
            summary.seeds(),
            measure.key(),
            number(estimate.mean()),
            number(estimate.low()),
            number(estimate.high()));
      }
    }
  }

  private void runs(PrintWriter csv) {
    csv.print(
        "policy,load,seed,side,submitted,completed,failed,unfinished,p50Seconds,p90Seconds,p99Seconds,kills,"
            + "moves,rejections,lostWorkSeconds,memoryUtilization,partial\n");
    for (ComparedRun compared : result.runs()) {
      RunResult run = compared.run();
      sides(run)
          .forEach(
              (side, jobs) ->
                  csv.printf(
                      Locale.ROOT,
                      "%s,%s,%d,%d,%d,%d,%s,%s,%s,%d,%d,%d,%s,%s,%s\n",
                      key(run),
                      side,
                      jobs.submitted(),
                      jobs.completed(),
                      jobs.failed(),
                      jobs.unfinished(),
                      number(jobs.percentileSeconds(50)),
                      number(jobs.percentileSeconds(90)),
                      number(jobs.percentileSeconds(99)),
                      run.disruptions().kills(),
                      run.disruptions().moves(),
                      run.disruptions().rejections(),
                      number(run.disruptions().lostWorkSeconds()),
                      number(run.memory().utilization()),
                      run.execution().partial()));
    }
  }

  private void completionTimes(PrintWriter csv) {
    csv.print("policy,load,seed,side,completionSeconds\n");
    for (ComparedRun compared : result.runs()) {
      RunResult run = compared.run();
      sides(run)
          .forEach(
              (side, jobs) ->
                  jobs.times()
                      .seconds()
                      .forEach(
                          seconds ->
                              csv.print(key(run) + "," + side + "," + number(seconds) + "\n")));
    }
  }

  private void memory(PrintWriter csv) {
    csv.print(
        "policy,load,seed,seconds,allocatedBytes,usedBytes,productionAllocatedBytes,productionUsedBytes\n");
    for (ComparedRun compared : result.runs()) {
      RunResult run = compared.run();
      for (MemorySample sample : run.memory().samples()) {
        csv.printf(
            Locale.ROOT,
            "%s,%.1f,%.0f,%.0f,%.0f,%.0f\n",
            key(run),
            sample.seconds(),
            sample.allocatedBytes(),
            sample.usedBytes(),
            sample.productionAllocatedBytes(),
            sample.productionUsedBytes());
      }
    }
  }

  private static Map<String, SideResult> sides(RunResult run) {
    Map<String, SideResult> sides = new LinkedHashMap<>();
    sides.put("best-effort", run.bestEffort());
    sides.put("production", run.production());
    return sides;
  }

  private static String key(RunResult run) {
    RunSettings settings = run.settings();
    return settings.policy().key() + "," + settings.load() + "," + settings.seed();
  }

  /** Formats a number; the cell is empty if there is no value. */
  private static String number(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.4f", value) : "";
  }
}
