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
import io.charon.evaluation.cluster.KernelProtection;
import io.charon.evaluation.cluster.LinuxExecutor;
import io.charon.evaluation.demo.Demo;
import io.charon.evaluation.demo.DemoMode;
import io.charon.evaluation.demo.DemoOptions;
import io.charon.evaluation.demo.DemoOutcome;
import io.charon.evaluation.demo.WorkloadKind;
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.UaKiller;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demo with a window that is too short for statements about speed. Real jobs run with correct
 * results, and the demo writes and removes the files that it promises.
 */
@Tag("pressure")
@WritableCgroups
class DemoIT {
  private static final String CGROUP = "charon-demo-" + ProcessHandle.current().pid();
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path directory;

  @Test
  void runsRealJobsAndChecksTheirResults() throws Exception {
    Optional<String> left = killerOfADemoThatWasKilled();
    Optional<Path> early = left.isPresent() ? Optional.of(beforeLoading()) : Optional.empty();
    try {
      runs(Optional.empty());
      assertThat(directory.resolve("runs.jsonl")).isNotEmptyFile();
      left.ifPresent(name -> assertThat(UaKiller.bpffs(name)).doesNotExist());
      early.ifPresent(bpffs -> assertThat(bpffs).doesNotExist());
    } finally {
      if (left.isPresent()) {
        KernelProtection.removeLeftover(ROOT, left.get());
        Files.deleteIfExists(early.get());
      }
    }
  }

  /** Returns the name of the killer; empty where this machine does not allow one. */
  private static Optional<String> killerOfADemoThatWasKilled() throws Exception {
    String name = nameOfADemoThatWasKilled();
    Cleanup cleanup = new Cleanup(); // its shutdown hook finds nothing that is left
    try {
      UaKiller.of(NativeTools.of(ROOT).killer(), name, cleanup).load();
      return Optional.of(name);
    } catch (IOException e) {
      cleanup.close();
      System.out.println("Without a killer that a demo has left behind: " + e.getMessage());
      return Optional.empty();
    }
  }

  /** Returns what is left of a demo that was killed right before it loaded its killer. */
  private static Path beforeLoading() throws Exception {
    return Files.createDirectory(UaKiller.bpffs(nameOfADemoThatWasKilled()));
  }

  private static String nameOfADemoThatWasKilled() throws Exception {
    Process killed = new ProcessBuilder("true").start();
    assertThat(killed.waitFor(30, TimeUnit.SECONDS)).as("true ends within 30 s").isTrue();
    return "charon-demo-" + killed.pid();
  }

  @Test
  @Tag("long")
  @ContainerProgram.Needed
  void runsTheSameWithContainersOfOtherUsers() throws Exception {
    JsonNode result =
        runs(
            Optional.of(
                new LinuxExecutor(
                    ContainerProgram.path(), ContainerProgram.USER, ContainerProgram.USER)));
    assertThat(result.path("executor").asText()).isEqualTo("linux");
    assertThat(directory.resolve("runs-linux.jsonl")).isNotEmptyFile();
  }

  private JsonNode runs(Optional<LinuxExecutor> linux) throws Exception {
    Path json = directory.resolve("out.json");
    StringWriter text = new StringWriter();

    DemoOutcome outcome =
        new Demo(Installation.locate(), ROOT, new PrintWriter(text, true), false)
            .run(
                new DemoOptions(
                    List.of(DemoMode.CHARON),
                    1,
                    false,
                    false,
                    linux,
                    new DemoOptions.Workload(
                        WorkloadKind.MEMORY,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(16),
                        false,
                        2560,
                        false),
                    new DemoOptions.Input(Optional.empty(), 16),
                    new DemoOptions.Output(
                        directory, directory.resolve("demo.html"), Optional.of(json))));

    assertThat(outcome).as(text.toString()).isNotNull();
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    JsonNode charon = result.path("modes").path("charon");
    // The amount of work done in time depends on the machine, so neither it nor a verdict is
    // checked.
    JsonNode bestEffort = charon.path("bestEffort");
    assertThat(bestEffort.path("submitted").asInt()).as(text.toString()).isPositive();
    assertThat(bestEffort.path("failed").asInt(-1)).as(text.toString()).isZero();
    assertThat(charon.path("containers").path("launched").asInt()).isPositive();
    assertThat(charon.path("memoryUtilization").asDouble()).isBetween(0.01, 1.0);
    assertThat(result.path("outputsAreRight").asBoolean()).as(text.toString()).isTrue();
    assertThat(problems(result, "wrong results of production")).as(text.toString()).isZero();
    assertThat(problems(result, "jobs that could not be submitted")).as(text.toString()).isZero();
    assertThat(directory.resolve("memory.svg")).isNotEmptyFile();
    assertThat(directory.resolve("demo.html")).content().contains("<svg", "charon");
    assertThat(Path.of("/sys/fs/cgroup/memory", CGROUP)).doesNotExist();
    assertThat(Path.of("/sys/fs/cgroup", CGROUP)).doesNotExist();
    return result;
  }

  private static int problems(JsonNode result, String name) {
    for (JsonNode verdict : result.path("verdicts")) {
      if (verdict.path("name").asText().equals(name)) {
        return verdict.path("measured").asInt();
      }
    }
    throw new AssertionError("no verdict " + name);
  }
}
