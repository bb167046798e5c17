/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Runs Prometheus's own tests of rules. */
final class Promtool {
  private final Path directory;

  /**
   * Creates a runner; skips the test with a message if promtool is not installed.
   *
   * @param directory directory for its files
   */
  Promtool(Path directory) {
    boolean installed =
        Arrays.stream(System.getenv("PATH").split(":", -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "promtool")));
    if (!installed) {
      System.out.println("SKIPPED rules: run kernel-ua-killer/install-packages.sh --monitoring");
    }
    assumeTrue(installed, "promtool is not installed");
    this.directory = directory;
  }

  /**
   * Runs a test that has to pass.
   *
   * @param test test of rules, as YAML
   * @return output of promtool
   */
  String pass(String test) {
    try {
      Path file = Files.writeString(directory.resolve("rules-test.yml"), test);
      Path said = directory.resolve("promtool.log");
      Process process =
          new ProcessBuilder("promtool", "test", "rules", file.toString())
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
      boolean ended = process.waitFor(1, TimeUnit.MINUTES);
      if (!ended) {
        process.destroyForcibly();
      }
      assertThat(ended && process.exitValue() == 0).as(Files.readString(said)).isTrue();
      return Files.readString(said);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
