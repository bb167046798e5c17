/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Asks the kernel UA killer about this kernel, if it is built and this user may try. */
final class SelfTest {
  private static final long TIMEOUT_SECONDS = 20;

  private final Path tool;

  /**
   * Creates a test that has not run.
   *
   * @param tool the program ua-killer, which need not exist
   */
  SelfTest(Path tool) {
    this.tool = tool;
  }

  /** The tier and its reason; empty if the tool is not built or this user may not try. */
  Optional<String> answer() {
    if (!Files.isExecutable(tool)) {
      return Optional.empty();
    }
    try {
      Process process =
          new ProcessBuilder(tool.toString(), "--json", "self-test")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      JsonNode said = new ObjectMapper().readTree(process.getInputStream());
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        return Optional.empty();
      }
      return Optional.of(
          "tier %d (%s)".formatted(said.path("tier").asInt(), said.path("reason").asText()));
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
