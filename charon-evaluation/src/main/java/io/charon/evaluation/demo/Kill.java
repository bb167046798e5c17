/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalDouble;

/**
 * A container that was killed for memory.
 *
 * @param containerId the container
 * @param by kernel, user-space or linux-oom
 * @param lastSignalMillis from the kernel killer's decision to the last SIGKILL, milliseconds;
 *     empty if the kernel killer did not decide
 * @param freedMillis from the kernel killer's decision until all memory was released, milliseconds;
 *     empty if no helper observed it
 */
public record Kill(
    String containerId, String by, OptionalDouble lastSignalMillis, OptionalDouble freedMillis) {
  static Kill of(JsonNode kill) {
    JsonNode thrash = kill.path("thrash");
    return new Kill(
        kill.path("containerId").asText(),
        kill.path("by").asText(),
        number(thrash.path("decisionToLastSignalMillis")),
        number(thrash.path("decisionToFreedMillis")));
  }

  private static OptionalDouble number(JsonNode value) {
    return value.isNumber() ? OptionalDouble.of(value.asDouble()) : OptionalDouble.empty();
  }
}
