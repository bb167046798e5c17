/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a benchmark says, for people and for programs.
 *
 * @param header of the table
 * @param rows of the table, each as long as the header
 * @param remarks lines below it
 * @param json the same for programs; what was not measured is null
 * @param ok whether the benchmark found nothing that must not be
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

  /** The same, saying whether the benchmark left something out because its time was over. */
  public Report within(TimeBudget budget) {
    List<String> marked = new ArrayList<>();
    if (budget.cutShort()) {
      marked.add("Cut short: time was over before all was measured; not to cite.");
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
    if (file.toAbsolutePath().getParent() != null) {
      Files.createDirectories(file.toAbsolutePath().getParent());
    }
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), json);
  }
}
