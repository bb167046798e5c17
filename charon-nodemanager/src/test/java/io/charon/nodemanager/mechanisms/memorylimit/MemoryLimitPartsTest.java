/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.memorylimit.KillCandidates;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.helper.Helper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what the program is told with an operator's settings. */
@Tag("hadoop")
class MemoryLimitPartsTest {
  @TempDir private Path root;

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
}
