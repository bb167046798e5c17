/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory regulator in a real NodeManager: it tells and changes nothing. */
@WritableCgroups
class DropInMemoryRegulatorIT {
  @TempDir private Path audit;

  @Test
  void itSaysWhatBestEffortMightUseWhileBestEffortRunsAsEver() throws Exception {
    Map<String, String> properties =
        Map.of(
            "yarn.nodemanager.charon.regulator.memory-mode", "observe",
            "yarn.nodemanager.charon.regulator.memory-window-ms", "5000",
            "yarn.nodemanager.charon.audit.directory", audit.toString());
    try (TestNode node = TestNode.start("charon", properties)) {
      await("a window is full", () -> node.status().at("/memoryRegulator/meanBytes").isNumber());
      HoldJob job = node.submit(2, 0);
      await("best-effort tasks run", () -> node.runningBestEffort().size() == 2);

      JsonNode status = node.status();
      JsonNode regulator = status.path("memoryRegulator");
      assertThat(regulator.path("mode").asText()).isEqualTo("observe");
      assertThat(regulator.path("limitBytes").asLong())
          .isBetween(0L, status.at("/node/capacityBytes").asLong());
      assertThat(Files.readString(audit.resolve("audit.jsonl")))
          .contains(
              "\"regulator\":\"memory\"", "\"action\":\"widen\"", "\"result\":\"not applied\"");

      job.release();
      await("the job ends", job::isComplete);
      assertThat(job.isSuccessful()).isTrue();
    }
  }
}
