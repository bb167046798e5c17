/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import io.charon.sls.trace.BadRows;
import io.charon.sls.trace.ImportProgress;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The sensitivity analysis, from tables to the grid. */
public final class Sensitivity {
  /** Maximum number of regulators, one for each cell and series; each takes about 300 bytes. */
  private static final int MAX_REPLAYS = 1_000_000;

  private final TuneRequest request;
  private final ImportProgress progress;

  /**
   * Creates an analysis.
   *
   * @param request the settings
   * @param progress receives the progress
   */
  public Sensitivity(TuneRequest request, ImportProgress progress) {
    this.request = request;
    this.progress = progress;
  }

  /**
   * Reads the tables twice and fills the grid.
   *
   * @throws IOException if a table cannot be read, or no window can be used with the series
   */
  public TuneResult run() throws IOException {
    List<Double> stdFactors = request.stdFactors().stream().distinct().sorted().toList();
    int mostSeries = MAX_REPLAYS / (request.windows().size() * stdFactors.size());
    UsageTables tables =
        new UsageTables(request.files(), request.format(), request.regulator(), mostSeries);
    SeriesSurvey survey = new SeriesSurvey();
    BadRows badRows = new BadRows(request.strict());
    String columns = tables.read(badRows, progress, survey::add);
    survey.removeUnusable(request.leastSamples());
    if (survey.series().isEmpty()) {
      throw new IOException(
          "%s: no series has %d samples with any usage (%d were left out, %d bad rows%s)"
                  .formatted(
                      request.files().get(0),
                      request.leastSamples(),
                      survey.leftOut(),
                      badRows.count(),
                      badRows.count() > 0 ? ", the first: " + badRows.first().get(0) : "")
              + "; give other files, or --min-samples");
    }
    WindowChoice windows = WindowChoice.of(request.windows(), survey);
    if (windows.accepted().isEmpty()) {
      throw new IOException(
          "no window is left: %s; give other --windows, or leave short series out with --min-samples"
              .formatted(String.join("; ", RefusedWindow.lines(windows.refused()))));
    }
    GridReplay replay = new GridReplay(survey.series(), windows.accepted(), stdFactors);
    // The first pass has reported the bad rows.
    tables.read(new BadRows(false), progress, replay::add);
    return result(survey, windows, replay, columns, badRows);
  }

  private TuneResult result(
      SeriesSurvey survey,
      WindowChoice windows,
      GridReplay replay,
      String columns,
      BadRows badRows) {
    Map<Double, Double> samplesPerWindow = new LinkedHashMap<>();
    double interval = survey.coarsest().intervalSeconds();
    windows.accepted().forEach(window -> samplesPerWindow.put(window, window / interval));
    return new TuneResult(
        request.regulator(),
        replay.results(),
        request.budget(),
        windows.refused(),
        samplesPerWindow,
        columns,
        survey.summary(),
        badRows);
  }
}
