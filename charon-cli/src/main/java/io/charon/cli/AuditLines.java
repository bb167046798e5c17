/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.nodemanager.files.ReadableFiles;
import io.charon.nodemanager.report.audit.AuditLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the actions of regulators on containers from a node's audit log. */
final class AuditLines {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private AuditLines() {}

  /**
   * Returns the lines whose target ends with a text, oldest first. A line that is not JSON is
   * skipped: the newest one may be incomplete.
   *
   * @throws IOException if the directory or a file cannot be read
   */
  static List<JsonNode> about(Path directory, String end) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (Path file : AuditLog.files(directory)) {
      // This decoder replaces invalid UTF-8, whereas Files.lines would fail.
      try (BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(ReadableFiles.open(file), StandardCharsets.UTF_8))) {
        String line;
        while ((line = reader.readLine()) != null) {
          if (line.contains(end)) {
            add(line, end, lines);
          }
        }
      }
    }
    return lines;
  }

  private static void add(String line, String end, List<JsonNode> lines) {
    try {
      JsonNode entry = MAPPER.readTree(line);
      if (entry.path("target").asText().endsWith(end)) {
        lines.add(entry);
      }
    } catch (JsonProcessingException e) {
      // Not a line of the audit log.
    }
  }
}
