/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.stop;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Serializes the outcome of the last order to read the keys again, which a ResourceManager reports.
 */
public final class ReloadMessages {
  /** Maximum number of characters of a value, and of a sentence. */
  private static final int LONGEST = 400;

  private static final int MAX_LINES = 30;

  private final ObjectMapper mapper = new ObjectMapper();

  /**
   * Serializes the outcome as JSON.
   *
   * @param outcome empty if the ResourceManager does not use the keys, because it is not the active
   *     one
   */
  public byte[] write(Optional<ReloadOutcome> outcome) throws IOException {
    ObjectNode told = mapper.createObjectNode().put("active", outcome.isPresent());
    outcome.ifPresent(
        known -> {
          told.put("readMillis", known.readMillis());
          changes(told.putArray("changed"), known.changed());
          changes(told.putArray("needRestart"), known.needRestart());
          sentences(told.putArray("warnings"), known.warnings());
          sentences(told.putArray("problems"), known.problems());
        });
    return mapper.writeValueAsBytes(told);
  }

  private static void changes(ArrayNode array, List<ReloadOutcome.Change> changes) {
    changes.stream()
        .limit(MAX_LINES)
        .forEach(
            change ->
                array
                    .addObject()
                    .put("key", shortened(change.key()))
                    .put("from", shortened(change.from()))
                    .put("to", shortened(change.to())));
  }

  private static void sentences(ArrayNode array, List<String> sentences) {
    sentences.stream().limit(MAX_LINES).map(ReloadMessages::shortened).forEach(array::add);
  }

  private static String shortened(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
  }
}
