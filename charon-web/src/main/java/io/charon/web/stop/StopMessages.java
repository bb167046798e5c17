/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.stop;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.charon.core.stop.StopKeys;
import io.charon.core.stop.StopOrder;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Converts the cluster's order to and from JSON, which a ResourceManager sends to nodes and to the
 * command.
 */
public final class StopMessages {
  /** The path at which the ResourceManager's web server sends it. */
  public static final String PATH = "/charon/stop";

  /**
   * Maximum size of a message in bytes: all fields at their maximum length, each character escaped.
   */
  public static final int MAX_BYTES = 8192;

  private static final int LONGEST_PROBLEM = 500;

  private final ObjectMapper mapper = new ObjectMapper();

  /**
   * Serializes the state. The message has no order if none is known: the receiver then keeps the
   * last one that it received, instead of resuming what may still be stopped.
   */
  public byte[] write(StopFile.State state) throws IOException {
    ObjectNode message = mapper.createObjectNode();
    if (state.known()) {
      state.order().values(StopKeys.MESSAGE).forEach(message::put);
    }
    message.put("origin", "cluster");
    message.put("readMillis", state.readMillis());
    state
        .problem()
        .ifPresent(
            problem ->
                message.put(
                    "problem", problem.substring(0, Math.min(problem.length(), LONGEST_PROBLEM))));
    return mapper.writeValueAsBytes(message);
  }

  /**
   * Reads the order from a message.
   *
   * @throws IOException if the message contains no order; it says why, if the message does
   */
  public StopOrder order(byte[] message) throws IOException {
    try {
      JsonNode told = mapper.readTree(message);
      if (!told.path(StopKeys.MESSAGE.action()).isTextual()) {
        throw new IOException(
            told.path("problem")
                .asText("the answer contains no order")
                .replaceAll("\\p{Cntrl}+", " "));
      }
      Map<String, String> values = new HashMap<>();
      told.fields()
          .forEachRemaining(field -> values.put(field.getKey(), field.getValue().asText()));
      return StopOrder.read(values, StopKeys.MESSAGE);
    } catch (JsonProcessingException e) {
      throw new IOException("the answer is not JSON", e);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
