/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.memorylimit.KillCandidates;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.execution.TestExecutor;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.report.audit.AuditLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests what the program is told with an operator's settings, and the lines in the audit about the
 * memory that is left to production.
 */
@Tag("hadoop")
class MemoryLimitPartsTest {
  private static final long MB = 1 << 20;
  private static final String CONTAINER = "container_1_0001_01_000002";

  @TempDir private Path root;
  private final Counter failures = new Counter();

  private FakeMachine first() {
    return FakeMachine.v1(root)
        .file("cgroup/memory/charon/best-effort/tasks", "17\n")
        .file("cgroup/memory/charon/best-effort/memory.usage_in_bytes", "1048576\n")
        .file("cgroup/memory/charon/best-effort/memory.limit_in_bytes", "9223372036854771712\n")
        .file(
            "cgroup/memory/charon/best-effort/memory.stat",
            "total_active_file 0\ntotal_inactive_file 0\n");
  }

  private FakeMachine second() {
    return FakeMachine.v2(root)
        .file("cgroup/charon/best-effort/cgroup.threads", "17\n")
        .file("cgroup/charon/best-effort/cgroup.type", "domain\n")
        .file("cgroup/charon/best-effort/memory.current", "1048576\n")
        .file("cgroup/charon/best-effort/memory.max", "max\n")
        .file("cgroup/charon/best-effort/memory.stat", "active_file 0\ninactive_file 0\n");
  }

  /** What is swapped on purpose makes no room if the kernel still counts it. */
  @ParameterizedTest
  @CsvSource({
    "V1, freeze.mode, observe, 0",
    "V1, freeze.mode, enforce, 1125899906842624",
    "V1, proactive-reclaim.mode, observe, 0",
    "V1, proactive-reclaim.mode, enforce, 1125899906842624",
    "V2, freeze.mode, observe, 0",
    "V2, freeze.mode, enforce, 1125899906842624",
    "V2, proactive-reclaim.mode, enforce, 1125899906842624"
  })
  void swapCountsUnlessMemoryGoesThereOnPurpose(
      CgroupVersion version, String key, String mode, String limit) throws IOException {
    FakeMachine machine =
        (version == CgroupVersion.V1 ? first() : second())
            .file("proc/meminfo", "MemTotal: 1048576 kB\nMemFree: 524288 kB\n");
    Path told = Files.createFile(root.resolve("told"));
    Path script =
        Files.writeString(
            root.resolve("script"), "echo '{\"event\":\"ready\"}'; exec cat >" + told + "\n");
    try (MemoryLimitParts parts =
        MemoryLimitParts.of(
            TestSettings.of(key, mode),
            machine.detect("/charon"),
            true,
            root.resolve("proc"),
            new Helper(List.of("/bin/sh", script.toString()), Duration.ofSeconds(2)),
            Map::of,
            () -> {})) {
      var unused =
          parts
              .mechanism()
              .decide(new Snapshot(0, parts.read(0).orElseThrow(), new KillCandidates(List.of())));
      await(() -> told.toFile().length() > 0);
      parts.actuator().undo();
    }
    assertThat(Files.readString(told)).contains(" swap-limit=" + limit + " ");
  }

  /** A node of 1 GiB with a production container that is entitled to 200 MB. */
  private FakeMachine withProduction() {
    FakeMachine machine =
        second()
            .file("proc/meminfo", "MemTotal: 1048576 kB\nMemFree: 524288 kB\n")
            .file(
                "cgroup/charon/production/" + CONTAINER + "/memory.stat",
                "active_file 0\ninactive_file 0\n");
    for (String cgroup : List.of("", "/production", "/production/" + CONTAINER)) {
      machine.file("cgroup/charon" + cgroup + "/memory.low", "0\n");
    }
    return machine;
  }

  /** Lets a node decide, and returns the changes in its audit that protect production. */
  private List<String> protections(RegulatorMode mode, FakeMachine machine) throws IOException {
    Path audit = root.resolve("audit");
    try (MemoryLimitParts parts =
            MemoryLimitParts.of(
                TestSettings.of(),
                machine.detect("/charon"),
                true,
                root.resolve("proc"),
                new Helper(List.of("/none"), Duration.ofSeconds(2)),
                () -> Map.of(CONTAINER, 200 * MB),
                () -> {});
        ActionExecutor executor =
            TestExecutor.of(
                Optional.of(new AuditLog(audit, 1 << 20)),
                failures,
                Map.of(
                    Limit.MEMORY_USE,
                    parts.actuator(),
                    Limit.MEMORY,
                    Actuator.of(Optional::empty, wanted -> "set", () -> {})))) {
      decide(mode, machine, parts, executor, 1000, 30);
      decide(mode, machine, parts, executor, 2000, 30);
      decide(mode, machine, parts, executor, 3000, 40);
      decide(mode, machine, parts, executor, 3300, 60);
      decide(mode, machine, parts, executor, 3600, 50);
      decide(mode, machine, parts, executor, 5000, 50);
      machine.file("cgroup/charon/best-effort/cgroup.threads", "");
      decide(mode, machine, parts, executor, 6000, 50);
    }
    List<String> changes = new ArrayList<>();
    for (String line : Files.readAllLines(audit.resolve("audit.jsonl"))) {
      JsonNode read = new ObjectMapper().readTree(line);
      if (read.path("action").asText().equals("protect")) {
        assertThat(read.path("reason").asText()).startsWith("memory.low: ");
        changes.add(
            "%s %d -> %d%s: %s"
                .formatted(
                    read.path("target").asText(),
                    read.path("inputs").path("found").asLong() / MB,
                    read.path("limit").asLong() / MB,
                    read.path("inputs").has("moves")
                        ? " in %d moves".formatted(read.path("inputs").path("moves").asInt())
                        : "",
                    read.path("result").asText().replace(root.resolve("cgroup") + "/", "")));
      }
    }
    return changes;
  }

  private static void decide(
      RegulatorMode mode,
      FakeMachine machine,
      MemoryLimitParts parts,
      ActionExecutor executor,
      long millis,
      long productionMegabytes) {
    machine.file(
        "cgroup/charon/production/" + CONTAINER + "/memory.current",
        productionMegabytes * MB + "\n");
    long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
    Snapshot seen =
        new Snapshot(nanos, parts.read(nanos).orElseThrow(), new KillCandidates(List.of()));
    var unused =
        executor.execute(
            nanos,
            List.of(
                new ActionExecutor.WantedActions(
                    MemoryLimit.NAME, mode, Optional.empty(), parts.mechanism().decide(seen))));
  }

  private String low(FakeMachine machine, String cgroup) throws IOException {
    return machine.read("cgroup/charon" + cgroup + "/memory.low");
  }

  @Test
  void theAuditHasEachChangeOfTheMemoryThatIsLeftToProduction() throws IOException {
    FakeMachine machine = withProduction();
    String container = "charon/production/" + CONTAINER + "/memory.low set to ";
    assertThat(protections(RegulatorMode.ENFORCE, machine))
        .containsExactly(
            CONTAINER + " 0 -> 200: applied: " + container + 200 * MB,
            "production 0 -> 200: applied: charon/production/memory.low set to " + 200 * MB,
            "node 0 -> 30: applied: charon/memory.low set to " + 30 * MB,
            "node 30 -> 40: applied: charon/memory.low set to " + 40 * MB,
            "node 60 -> 50 in 2 moves: applied: charon/memory.low set to " + 50 * MB,
            "production 200 -> 0: applied: charon/production/memory.low set to 0",
            "node 50 -> 0: applied: charon/memory.low set to 0",
            CONTAINER + " 200 -> 0: applied: " + container + "0");
    assertThat(low(machine, "")).isEqualTo("0");
    assertThat(failures.getCount()).isZero();
  }

  @Test
  void inObserveTheAuditHasWhatWouldBeLeftToProductionAndNothingIsWritten() throws IOException {
    FakeMachine machine = withProduction();
    String observed = ": not applied: observe";
    assertThat(protections(RegulatorMode.OBSERVE, machine))
        .containsExactly(
            CONTAINER + " 0 -> 200" + observed,
            "production 0 -> 200" + observed,
            "node 0 -> 30" + observed,
            "node 0 -> 40" + observed,
            "node 0 -> 50 in 2 moves" + observed);
    for (String cgroup : List.of("", "/production", "/production/" + CONTAINER)) {
      assertThat(low(machine, cgroup)).isEqualTo("0");
    }
  }

  @Test
  void aChangeThatFailsIsInTheAuditOnceAndTheOthersAreMade() throws IOException {
    FakeMachine machine = withProduction();
    Path file = machine.path("cgroup/charon/production/" + CONTAINER + "/memory.low");
    Files.delete(file);
    Files.createSymbolicLink(file, machine.path("nowhere")); // read as nothing, and not written
    List<String> changes = protections(RegulatorMode.ENFORCE, machine);
    assertThat(changes)
        .filteredOn(line -> line.startsWith(CONTAINER))
        .singleElement()
        .asString()
        .startsWith(CONTAINER + " 0 -> 200: failed: cannot write ");
    assertThat(changes).anyMatch(line -> line.startsWith("production 0 -> 200: applied"));
    assertThat(failures.getCount()).as("tried again at each decision").isEqualTo(6);
  }
}
