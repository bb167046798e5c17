/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.demo.Demo;
import io.charon.evaluation.demo.DemoMode;
import io.charon.evaluation.demo.DemoOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demo with a window so short that it proves nothing about speed: real jobs run, their results
 * are right, and what it promises to write and to clean up it does.
 */
@WritableCgroups
class DemoIT {
  private static final String CGROUP = "charon-demo-" + ProcessHandle.current().pid();

  @TempDir private Path directory;

  @Test
  void runsRealJobsAndChecksTheirResults() throws Exception {
    Path json = directory.resolve("out.json");
    StringWriter text = new StringWriter();

    boolean held =
        new Demo(
                Installation.locate(),
                Path.of("..").toAbsolutePath().normalize(),
                new PrintWriter(text, true),
                false)
            .run(
                new DemoOptions(
                    List.of(DemoMode.CHARON),
                    1,
                    Duration.ofSeconds(45),
                    3072,
                    Optional.empty(),
                    16,
                    directory,
                    true,
                    false,
                    Optional.of(json)));

    assertThat(held).as(text.toString()).isTrue();
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    JsonNode charon = result.path("modes").path("charon");
    // How many jobs complete in time depends on the machine. That one does is checked above: the
    // demo's check of the outgrowing job waits for it.
    JsonNode bestEffort = charon.path("bestEffort");
    assertThat(bestEffort.path("submitted").asInt()).as(text.toString()).isPositive();
    assertThat(bestEffort.path("failed").asInt()).as(text.toString()).isZero();
    assertThat(charon.path("containers").path("launched").asInt()).isPositive();
    assertThat(charon.path("memoryUtilization").asDouble()).isBetween(0.01, 1.0);
    assertThat(result.path("wordCountsMatch").asBoolean()).isTrue();
    assertThat(directory.resolve("memory.svg")).isNotEmptyFile();
    assertThat(Path.of("/sys/fs/cgroup/memory", CGROUP)).doesNotExist();
    assertThat(Path.of("/sys/fs/cgroup", CGROUP)).doesNotExist();
  }
}
