/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune.reclaimed;

import io.charon.sls.trace.ImportProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Judges predictors on all tables of a directory. */
public final class ReclaimedTuning {
  private final Path traces;
  private final List<UsageTable> tables;
  private final List<Candidate> candidates;
  private final int perMachine;
  private final double gapSeconds;

  /**
   * Creates a run.
   *
   * @param traces directory of the tables
   * @param tables the tables
   * @param candidates the predictors
   * @param perMachine number of series per machine, for tables whose series are combined
   * @param gapSeconds longest time without a sample; a series with a longer gap is skipped
   */
  public ReclaimedTuning(
      Path traces,
      List<UsageTable> tables,
      List<Candidate> candidates,
      int perMachine,
      double gapSeconds) {
    this.traces = traces;
    this.tables = List.copyOf(tables);
    this.candidates = List.copyOf(candidates);
    this.perMachine = perMachine;
    this.gapSeconds = gapSeconds;
  }

  /**
   * Reads and judges the tables one by one; a missing table has no result.
   *
   * @throws IOException if all are missing, or one cannot be read
   */
  public List<TableResult> run(ImportProgress progress) throws IOException {
    List<TableResult> results = new ArrayList<>();
    for (UsageTable table : tables) {
      Path file = traces.resolve(table.file());
      if (Files.exists(file)) {
        results.add(judge(table, file, progress));
      }
    }
    if (results.isEmpty()) {
      throw new IOException(
          "%s: contains none of the known tables; the first of them is %s"
              .formatted(traces, tables.get(0).file()));
    }
    return results;
  }

  private TableResult judge(UsageTable table, Path file, ImportProgress progress)
      throws IOException {
    SeriesReader reader = new SeriesReader(table, file, gapSeconds);
    List<UsageSeries> series = reader.read(progress);
    PredictorScoring judgement = new PredictorScoring(table, candidates);
    long machines = 0;
    for (Machine machine : Machine.of(series, table.perMachine() ? perMachine : 1)) {
      judgement.add(machine);
      progress.at("machines of " + table.name(), ++machines);
    }
    return judgement.result(series.size(), reader.leftOut());
  }
}
