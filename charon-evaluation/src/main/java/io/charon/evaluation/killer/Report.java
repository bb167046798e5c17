/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.sls.json.JsonOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The output of a benchmark, for people and for programs.
 *
 * @param header header of the table
 * @param rows rows of the table, each as long as the header
 * @param remarks lines below the table
 * @param json the same content for programs; values that were not measured are null
 * @param ok false if the benchmark found a result that must not occur
 */
public record Report(
    List<String> header,
    List<List<String>> rows,
    List<String> remarks,
    ObjectNode json,
    boolean ok) {
  /** Copies the lists. */
  public Report {
    header = List.copyOf(header);
    rows = List.copyOf(rows);
    remarks = List.copyOf(remarks);
  }

  /** Returns a copy that says whether the budget ran out before everything was measured. */
  public Report within(TimeBudget budget) {
    List<String> marked = new ArrayList<>();
    if (budget.cutShort()) {
      marked.add(
          "Cut short: the time was over before everything was measured; not a result to cite.");
    }
    marked.addAll(remarks);
    return new Report(header, rows, marked, json.deepCopy().put("cutShort", budget.cutShort()), ok);
  }

  /**
   * Writes the JSON.
   *
   * @throws IOException if the file cannot be written
   */
  public void writeJson(Path file) throws IOException {
    JsonOutput.write(json, file);
  }
}
