/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A result file that {@link ResultJson} wrote.
 *
 * @param file path of the file
 * @param runs the measured runs
 * @param settings settings of the cluster and the policies, as text by name; empty in files of old
 *     versions
 * @param workloads headers of the workloads, as text by name: one for all seeds or one for each;
 *     only the first in files of old versions, or none
 * @param partial whether the experiment was interrupted
 */
public record ResultFile(
    Path file,
    List<MeasuredRun> runs,
    Map<String, String> settings,
    List<Map<String, String>> workloads,
    boolean partial) {
  private static final long LARGEST = 1L << 28;

  /**
   * Reads a file.
   *
   * @throws IOException if it is not a result; the message names the file and the missing part
   */
  public static ResultFile read(Path file) throws IOException {
    JsonNode root = parse(file);
    JsonNode runs = root.path("runs");
    if (!runs.isArray() || runs.isEmpty()) {
      throw new IOException(file + ": has no runs: not a result of charon sls run --json");
    }
    List<MeasuredRun> measured = new ArrayList<>();
    for (JsonNode run : runs) {
      try {
        measured.add(measured(run));
      } catch (IllegalArgumentException e) {
        throw new IOException(
            "%s: runs[%d] %s: not a result of charon sls run --json"
                .formatted(file, measured.size(), e.getMessage()),
            e);
      }
    }
    return new ResultFile(
        file,
        measured,
        texts(root.path("settings")),
        workloads(root),
        root.path("partial").asBoolean());
  }

  private static JsonNode parse(Path file) throws IOException {
    try {
      if (Files.size(file) > LARGEST) {
        throw new IOException(file + ": larger than " + LARGEST + " bytes: not a result of charon");
      }
      JsonNode root = new ObjectMapper().readTree(file.toFile());
      return root == null ? MissingNode.getInstance() : root;
    } catch (JsonProcessingException e) {
      long line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      throw new IOException(file + ":" + line + ": not JSON: " + e.getOriginalMessage(), e);
    } catch (NoSuchFileException e) {
      throw new IOException(file + ": no such file", e);
    }
  }

  private static MeasuredRun measured(JsonNode run) {
    Map<Measure, Double> values = new EnumMap<>(Measure.class);
    for (Measure measure : Measure.values()) {
      values.put(measure, measure.of(run));
    }
    JsonNode policy = run.path("policy");
    JsonNode load = run.path("load");
    JsonNode seed = run.path("seed");
    if (!policy.isTextual() || !load.isInt() || !seed.isIntegralNumber()) {
      throw new IllegalArgumentException("has no policy, load and seed");
    }
    return new MeasuredRun(policy.asText(), load.asInt(), seed.asLong(), values);
  }

  private static List<Map<String, String>> workloads(JsonNode root) {
    List<Map<String, String>> workloads = new ArrayList<>();
    root.path("workloads").forEach(header -> workloads.add(texts(header)));
    if (workloads.isEmpty() && root.has("workload")) {
      workloads.add(texts(root.get("workload")));
    }
    return workloads;
  }

  private static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      JsonNode value = object.get(name);
      texts.put(name, value.isValueNode() ? value.asText() : value.toString());
    }
    return texts;
  }
}
