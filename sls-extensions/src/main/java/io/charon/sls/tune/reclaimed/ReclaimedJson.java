/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune.reclaimed;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.sls.json.JsonOutput;
import io.charon.sls.tune.reclaimed.LeftOut.Skipped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes the result as JSON. Fields may be added but are never removed; shares are 0 to 1. */
public final class ReclaimedJson {
  private final ObjectMapper mapper = new ObjectMapper();

  /**
   * Writes the file completely or not at all.
   *
   * @throws IOException if it cannot be written
   */
  public void write(List<TableResult> results, Path file) throws IOException {
    ObjectNode root = mapper.createObjectNode();
    ArrayNode tables = root.putArray("tables");
    results.forEach(result -> tables.add(of(result)));
    JsonOutput.write(root, file);
  }

  private ObjectNode of(TableResult result) {
    ObjectNode node = mapper.createObjectNode();
    node.put("name", result.table().name());
    node.put("file", result.table().file());
    node.put("tuning", result.table().tuning());
    node.put("machines", result.machines());
    node.put("samples", result.samples());
    if (result.samples() > 0) {
      node.put("used", result.used());
      node.set("allocation", of(result.scores().allocation()));
      node.set("oracle", of(result.scores().oracle()));
      ObjectNode predictors = node.putObject("predictors");
      result.scores().predictors().forEach((name, score) -> predictors.set(name, of(score)));
    } else {
      node.put("note", result.note());
    }
    ArrayNode skipped = node.putArray("skipped");
    for (Skipped one : result.leftOut().named()) {
      skipped
          .addObject()
          .put("series", one.series())
          .put("place", one.place())
          .put("cause", one.cause())
          .put("whole", one.whole());
    }
    node.put("rowsLeftOut", result.leftOut().rows());
    return node;
  }

  private ObjectNode of(Score score) {
    return mapper
        .createObjectNode()
        .put("usable", score.usable())
        .put("violations", score.violations())
        .put("meanExcess", score.meanExcess())
        .put("belowPeak", score.belowPeak());
  }
}
