/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes a result as JSON. */
public final class JsonOutput {
  private JsonOutput() {}

  /**
   * Writes the file, completely or not at all, and its directory if it is missing.
   *
   * @throws IOException if it cannot be written
   */
  public static void write(JsonNode json, Path file) throws IOException {
    Path directory = Files.createDirectories(file.toAbsolutePath().getParent());
    Path written = directory.resolve("." + file.getFileName() + ".part");
    Files.deleteIfExists(written); // left by a run that was killed, or another user's link
    try (OutputStream out =
        Files.newOutputStream(written, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(out, json);
    }
    Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Sets a field. JSON has neither infinity nor NaN; both become null. */
  public static void putFinite(ObjectNode node, String field, double value) {
    node.put(field, Double.isFinite(value) ? Double.valueOf(value) : null);
  }
}
