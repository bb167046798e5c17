/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.sls.json.JsonOutput;
import java.io.IOException;
import java.nio.file.Path;

/** Writes the result as JSON. Fields may be added but are never removed. */
public final class TuneJson {
  private final ObjectMapper mapper = new ObjectMapper();

  /**
   * Writes the file completely or not at all.
   *
   * @throws IOException if it cannot be written
   */
  public void write(TuneResult result, Path file) throws IOException {
    JsonOutput.write(of(result), file);
  }

  private ObjectNode of(TuneResult result) {
    ObjectNode root = mapper.createObjectNode();
    root.put("regulator", result.regulator().toString());
    ArrayNode grid = root.putArray("grid");
    result.grid().forEach(cell -> grid.add(cell(cell)));
    root.set(
        "recommended", result.recommended().map(this::cell).orElseGet(mapper::createObjectNode));
    SeriesSummary series = result.series();
    root.put("series", series.replayed());
    ObjectNode samplesPerWindow = root.putObject("samplesPerWindow");
    result
        .samplesPerWindow()
        .forEach((window, samples) -> samplesPerWindow.put(Numbers.text(window), samples));
    root.put("budget", result.budget());
    ArrayNode refused = root.putArray("refusedWindows");
    result
        .refusedWindows()
        .forEach(
            window ->
                refused
                    .addObject()
                    .put("windowSeconds", window.windowSeconds())
                    .put("reason", window.reason()));
    root.put("columns", result.columns());
    root.put("seriesLeftOut", series.leftOut());
    root.put("samples", series.samples().all());
    root.put("missingSamples", series.samples().missing());
    root.put("samplesAboveCapacity", series.samples().aboveCapacity());
    root.put("shortestSeconds", series.shortestSeconds());
    root.put("longestSeconds", series.longestSeconds());
    root.put("meanUsed", series.meanUsed());
    root.put("peakUsed", series.peakUsed());
    root.put("badRows", result.badRows().count());
    ArrayNode badRows = root.putArray("firstBadRows");
    result.badRows().first().forEach(badRows::add);
    return root;
  }

  private ObjectNode cell(CellResult cell) {
    ObjectNode node = mapper.createObjectNode();
    node.put("windowSeconds", cell.windowSeconds());
    node.put("stdFactor", cell.stdFactor());
    node.put("maxViolations", cell.maxViolations());
    node.put("totalViolations", cell.totalViolations());
    node.put("backgroundAfforded", cell.backgroundAfforded());
    node.put("meanExcess", cell.meanExcess());
    node.put("largestExcess", cell.largestExcess());
    node.put("worstSeries", cell.worstSeries());
    return node;
  }
}
