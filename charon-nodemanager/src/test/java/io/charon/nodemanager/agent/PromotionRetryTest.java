/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.container.ContainerInfos;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests promotions whose first write the kernel refuses: its file is missing or leads to a
 * directory until the test creates it. Where processes are moved, the test empties the old cgroup
 * as the kernel would.
 */
@Tag("hadoop")
class PromotionRetryTest {
  private static final long MIB = 1 << 20;
  private static final String BEFORE = "cgroup/charon/best-effort/container_1/cgroup.procs";
  private static final String AFTER = "cgroup/charon/production/container_1/cgroup.procs";
  private static final String SCORE = "proc/71/oom_score_adj";

  @TempDir Path root;
  private final FakeYarn yarn = new FakeYarn();
  private final AtomicInteger ticks = new AtomicInteger();
  private FakeMachine machine;
  private CharonNode node;

  @BeforeEach
  void open() throws IOException {
    machine = FakeMachine.v2(root).nodeCgroups();
    machine.file(SCORE, "1000").detect("/charon"); // writes the files of proc
    open("true");
  }

  private void open(String cgroups) {
    node =
        new CharonNode(
            TestSettings.of(
                "memory-limit.mode", "off",
                "killer.kernel.enabled", "false",
                "cgroup.enabled", cgroups,
                "node.tick-ms", "100",
                "audit.directory", root.resolve("audit").toString()),
            Surroundings.ofThisMachine(root.resolve("proc")),
            yarn);
    node.signals().onTick(ticks::incrementAndGet);
    node.start();
  }

  @AfterEach
  void close() {
    node.close();
  }

  private void start() {
    node.lifecycle().starting(ContainerInfos.bestEffort("container_1", MIB));
    machine.file(BEFORE, "71\n");
  }

  private void promote() {
    node.lifecycle().changed(ContainerInfos.production("container_1", MIB));
  }

  private String read(String file) {
    try {
      return machine.read(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitTicks(int more) {
    int then = ticks.get() + more;
    await(() -> ticks.get() >= then);
  }

  private List<String> audit(String text) {
    Path file = root.resolve("audit/audit.jsonl");
    try {
      return Files.exists(file)
          ? Files.readAllLines(file).stream()
              .filter(line -> line.contains("\"placement\"") && line.contains(text))
              .toList()
          : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aMoveOutOfBestEffortsCgroupThatIsRefusedIsRepeated() {
    start();
    promote();
    assertThat(machine.path(AFTER)).doesNotExist();
    awaitTicks(2);

    machine.file(AFTER, "");
    await(() -> read(AFTER).equals("71"));
    machine.file(BEFORE, "");

    await(() -> !audit("applied at attempt").isEmpty());
    assertThat(audit("failed")).singleElement().asString().contains("NoSuchFileException");
  }

  @Test
  void anOomScoreThatIsRefusedIsSetAgain() throws IOException {
    start();
    Files.delete(machine.path(SCORE));
    Files.createSymbolicLink(machine.path(SCORE), machine.path("proc"));
    machine.file(AFTER, "");
    promote();
    machine.file(BEFORE, "");
    awaitTicks(2);

    Path writable = machine.file("score", "1000").path("score");
    Files.move(writable, machine.path(SCORE), StandardCopyOption.ATOMIC_MOVE);

    await(() -> !read(SCORE).equals("1000"));
    await(() -> !audit("applied at attempt").isEmpty());
  }

  /** As LinuxContainerExecutor, which tells the first process before it enters its cgroups. */
  @Test
  void aProcessThatEntersBestEffortsCgroupOnlyAfterThePromotionIsMoved() {
    start();
    machine.file(BEFORE, "").file(AFTER, "");
    promote();
    awaitTicks(2);

    machine.file(BEFORE, "71\n");
    await(() -> read(AFTER).equals("71"));
    machine.file(BEFORE, "");

    await(() -> !audit("applied at attempt").isEmpty());
    assertThat(audit("failed")).singleElement().asString().contains("in its cgroup yet");
  }

  @Test
  void withoutCgroupsTheProcessesBelowTheFirstOneGetProductionsScore() {
    node.close();
    open("false");
    machine
        .file("proc/71/status", "PPid:\t1\n")
        .file("proc/72/status", "PPid:\t71\n")
        .file("proc/72/oom_score_adj", "1000");
    node.lifecycle().starting(ContainerInfos.bestEffort("container_1", MIB));
    promote();
    awaitTicks(2);
    assertThat(read(SCORE)).as("YARN does not know its first process yet").isEqualTo("1000");

    yarn.rootProcesses(() -> Map.of("container_1", 71L));

    await(() -> !audit("applied at attempt").isEmpty());
    assertThat(read(SCORE)).as("0, over the file's first byte").isEqualTo("0000");
    assertThat(read("proc/72/oom_score_adj")).isEqualTo("0000");
    assertThat(audit("failed")).singleElement().asString().contains("processes are not known");
  }

  @Test
  void aMoveIsNotRepeatedOnceTheContainerHasEnded() throws IOException {
    start();
    promote();
    Files.delete(machine.path(BEFORE));

    node.lifecycle().stopped("container_1");
    awaitTicks(3);

    assertThat(machine.path(BEFORE).getParent()).doesNotExist();
    assertThat(machine.path(AFTER).getParent()).doesNotExist();
  }

  @Test
  void whatAnEarlierNodeManagerLeftInBestEffortsCgroupIsMoved() {
    machine.file(BEFORE, "71\n").file(AFTER, "");

    node.lifecycle().reacquired(ContainerInfos.production("container_1", MIB));

    await(() -> read(AFTER).equals("71"));
  }
}
