/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.validation;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoDocumentTest {
  @TempDir private Path directory;

  @Test
  void anOlderResultIsRefusedWithTheCure() throws IOException {
    // A result of the demo from before it had the fields that a simulation needs.
    Path file =
        file(
            """
            {"modes": {"alone": {"bestEffort": {"submitted": 0, "completed": 0, "p50Seconds": null},
              "productionSeconds": 121.6, "memoryUtilization": 0.27,
              "containers": {"launched": 0, "killed": 0}, "killer": "user-space", "kills": []}},
             "windowSeconds": 120.0, "productionReservedFraction": 0.66, "checks": []}
            """);

    assertThatThrownBy(() -> DemoDocument.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            file.toString(),
            "older charon demo",
            "charon demo --workload cpu --calibrate --json FILE");
  }

  @Test
  void aResultWithoutCalibrationIsRefusedWithTheCure() throws IOException {
    Path file = file(run("false", "[]"));

    assertThatThrownBy(() -> DemoDocument.read(file))
        .hasMessageContainingAll(file.toString(), "no calibration", "--calibrate");
  }

  @Test
  void anOutgrowingJobIsNotSimulated() throws IOException {
    Path file = file(run("true", "[{\"kind\": \"grep\", \"application\": \"application_1_2\"}]"));

    assertThatThrownBy(() -> DemoDocument.read(file))
        .hasMessageContainingAll(file.toString(), "--outgrow");
  }

  @Test
  void whatIsNoResultOfTheDemoIsRefused() throws IOException {
    assertThatThrownBy(() -> DemoDocument.read(directory.resolve("missing.json")))
        .hasMessageContaining("missing.json: no such file");
    Path text = file("modes: alone");
    assertThatThrownBy(() -> DemoDocument.read(text))
        .hasMessageContainingAll(text.toString(), "not a result of charon demo --json");
    Path other = file("{\"results\": []}");
    assertThatThrownBy(() -> DemoDocument.read(other)).hasMessageContaining("it has no modes");
  }

  private static String run(String outgrowing, String calibration) {
    return """
        {"workload": {"nodes": 2, "outgrowing": %s}, "windowSeconds": 120,
         "modes": {"alone": {"runs": [{"production": null, "jobs": [], "calibration": %s,
           "machine": {"processors": 2}, "containers": []}]}}}
        """
        .formatted(outgrowing, calibration);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(directory, "demo", ".json"), text);
  }
}
