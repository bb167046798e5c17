/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.sls.contention.ContentionTest.Settings;
import io.charon.sls.json.JsonOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Writes verdicts and power curves as JSON. Fields may be added but are never removed. */
public final class ContentionJson {
  private final ObjectMapper mapper = new ObjectMapper();

  /**
   * Writes the verdicts, completely or not at all.
   *
   * @param verdicts verdicts by service
   * @throws IOException if the file cannot be written
   */
  public void writeVerdicts(Settings settings, Map<String, Verdict> verdicts, Path file)
      throws IOException {
    ObjectNode root = root(settings);
    ArrayNode all = root.putArray("services");
    verdicts.forEach(
        (service, verdict) -> {
          ObjectNode node = all.addObject();
          node.put("service", service);
          node.put("verdict", verdict.kind().text());
          node.put("reason", verdict.reason());
          node.put("intervals", verdict.intervals());
          verdict
              .effect()
              .ifPresent(
                  effect ->
                      node.putObject("effect")
                          .put("estimate", effect.estimate())
                          .put("low", effect.low())
                          .put("high", effect.high())
                          .put("chance", effect.chance())
                          .put("significant", effect.significant())
                          .put("bestEffortLow", effect.little())
                          .put("bestEffortHigh", effect.much()));
        });
    JsonOutput.write(root, file);
  }

  /**
   * Writes a power curve, completely or not at all.
   *
   * @throws IOException if the file cannot be written
   */
  public void writeCurve(Settings settings, List<PowerCurve.Point> points, Path file)
      throws IOException {
    ObjectNode root = root(settings);
    ArrayNode all = root.putArray("points");
    for (PowerCurve.Point point : points) {
      all.addObject()
          .put("effect", point.truth().effect())
          .put("days", point.truth().days())
          .put("noise", point.truth().noise())
          .put("noiseMinutes", point.truth().noiseMinutes())
          .put("jobMinutes", point.truth().jobMinutes())
          .put("draws", point.draws())
          .put("suffers", point.suffers())
          .put("fine", point.fine())
          .put("significant", point.significant())
          .put("significantIfNoiseWereIndependent", point.naive())
          .put("meanEstimate", point.meanEstimate());
    }
    JsonOutput.write(root, file);
  }

  private ObjectNode root(Settings settings) {
    return mapper
        .createObjectNode()
        .put("falseAlarms", settings.chance())
        .put("leastEffect", settings.leastEffect())
        .put("slowHours", settings.slowHours());
  }
}
