/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Reads experiment files: YAML of at most 64 KiB, one mapping of known keys. Only the structure is
 * read; YAML tags never create objects.
 */
public final class ExperimentReader {
  private static final int MAX_BYTES = 1 << 16;
  private static final int LONGEST_QUOTE = 320;

  /** Applies one value of a file. */
  @FunctionalInterface
  private interface Setting {
    void set(Node value) throws ExperimentException;
  }

  private final Path file;
  private final ExperimentPlanBuilder plan = new ExperimentPlanBuilder();

  private ExperimentReader(Path file) {
    this.file = file;
  }

  /**
   * Reads a file.
   *
   * @return the settings of the file, to which others may be added
   * @throws ExperimentException if the file cannot be used; the message names file, line, key and
   *     cure
   */
  public static ExperimentPlanBuilder read(Path file) throws IOException {
    ExperimentReader reader = new ExperimentReader(file);
    reader.take(reader.parse(), reader.settings());
    return reader.plan;
  }

  private Map<String, Setting> settings() {
    Map<String, Setting> settings = new LinkedHashMap<>();
    settings.put("description", value -> plan.description(text(value)));
    settings.put(
        "workload", value -> plan.workloads(texts(value).stream().map(this::workload).toList()));
    settings.put("import", value -> plan.importCommand(text(value)));
    settings.put("embedded", value -> take(value, embeddedSettings()));
    settings.put("policies", value -> plan.policies(texts(value)));
    settings.put(
        "loads",
        value -> plan.loads(texts(value).stream().map(ExperimentReader::wholeNumber).toList()));
    settings.put("seeds", value -> plan.seeds(wholeNumber(text(value))));
    settings.put("nodes", value -> plan.nodes(wholeNumber(text(value))));
    settings.put("nodeCores", value -> plan.cores(wholeNumber(text(value))));
    settings.put("nodeMemoryGb", value -> plan.memoryGibibytes(wholeNumber(text(value))));
    settings.put("queueLimit", value -> plan.queueLimit(wholeNumber(text(value))));
    settings.put("horizonHours", value -> plan.horizonHours(number(text(value))));
    settings.put("placement", value -> plan.placement(text(value)));
    settings.put("fullQueues", value -> plan.fullQueues(text(value)));
    settings.put("bestEffortType", value -> plan.bestEffortType(text(value)));
    settings.put("killsAsPreemptions", value -> plan.killsAreFailures(!truth(text(value))));
    settings.put("killDelays", value -> plan.killDelays(text(value)));
    return settings;
  }

  private Map<String, Setting> embeddedSettings() {
    Map<String, Setting> settings = new LinkedHashMap<>();
    settings.put("hours", value -> plan.hours(number(text(value))));
    settings.put("productionJobs", value -> plan.productionJobs(wholeNumber(text(value))));
    settings.put("bestEffortJobs", value -> plan.bestEffortJobs(wholeNumber(text(value))));
    settings.put("productionRatio", value -> plan.productionRatio(number(text(value))));
    return settings;
  }

  private Node parse() throws IOException {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(MAX_BYTES);
    try {
      Node root = new Yaml(options).compose(new StringReader(content()));
      if (root == null) {
        throw new ExperimentException(file + ": the file is empty");
      }
      return root;
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
      throw new ExperimentException(file + ":" + line + ": not YAML: " + e.getProblem(), e);
    } catch (YAMLException e) {
      throw new ExperimentException(file + ": not YAML: " + e.getMessage(), e);
    }
  }

  private String content() throws IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    } catch (NoSuchFileException e) {
      throw new ExperimentException(file + ": no such file", e);
    } catch (IOException e) {
      throw new ExperimentException(file + ": cannot be read: " + e.getMessage(), e);
    }
    if (bytes.length > MAX_BYTES) {
      throw new ExperimentException(
          file
              + ": larger than "
              + MAX_BYTES
              + " bytes; an experiment file is a few lines of YAML");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new ExperimentException(file + ": not UTF-8 text", e);
    }
  }

  private void take(Node node, Map<String, Setting> settings) throws ExperimentException {
    if (!(node instanceof MappingNode mapping)) {
      throw bad(node, "must be a mapping of the keys " + String.join(", ", settings.keySet()));
    }
    Set<String> seen = new HashSet<>();
    for (NodeTuple entry : mapping.getValue()) {
      String key = text(entry.getKeyNode());
      Setting setting = settings.get(key);
      if (setting == null) {
        throw bad(
            entry.getKeyNode(),
            "unknown key " + quote(key) + "; the keys are " + String.join(", ", settings.keySet()));
      }
      if (!seen.add(key)) {
        throw bad(entry.getKeyNode(), "the key " + key + " appears twice here; remove one");
      }
      try {
        setting.set(entry.getValueNode());
      } catch (IllegalArgumentException e) {
        throw bad(entry.getKeyNode(), key + ": " + quote(e.getMessage()), e);
      }
    }
  }

  /** Resolves a relative path against the folder of the experiment file. */
  private String workload(String name) {
    if (name.equals(PlannedWorkload.EMBEDDED) || name.isBlank()) {
      return name;
    }
    return file.resolveSibling(name).toString();
  }

  private String text(Node node) throws ExperimentException {
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    throw bad(node, "must be one value, not a list or a mapping");
  }

  private List<String> texts(Node node) throws ExperimentException {
    if (!(node instanceof SequenceNode sequence)) {
      return List.of(text(node));
    }
    List<String> texts = new ArrayList<>();
    for (Node value : sequence.getValue()) {
      texts.add(text(value));
    }
    return texts;
  }

  private static int wholeNumber(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be a whole number, was " + text, e);
    }
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be a number, was " + text, e);
    }
  }

  private static boolean truth(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("must be true or false, was " + text);
    };
  }

  private ExperimentException bad(Node node, String cause) {
    return new ExperimentException(place(node) + ": " + cause);
  }

  private ExperimentException bad(Node node, String cause, Throwable why) {
    return new ExperimentException(place(node) + ": " + cause, why);
  }

  private String place(Node node) {
    return file + ":" + (node.getStartMark().getLine() + 1);
  }

  /** Shortens a text of the file, which may be of any length. */
  private static String quote(String untrusted) {
    return untrusted.length() <= LONGEST_QUOTE
        ? untrusted
        : untrusted.substring(0, LONGEST_QUOTE) + "...";
  }
}
