/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.evaluation.machine.NativeTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The memory limit around best-effort in a real NodeManager, on a node of 512 MB without swap.
 * Nothing else kills, so every kill is one by the limit.
 */
@Tag("pressure")
@WritableCgroups
class MemoryLimitIT {
  private static final int NODE = 512;

  /** R of a node of this size, while growth of 1 GB/s counts as possible, MB. */
  private static final int RESERVE = 38;

  /**
   * Share of its pages that production must always hold; it is entitled to all, but a few may
   * briefly be missing.
   */
  private static final double KEPT = 0.95;

  private static final int PAGES = 100;
  private static final int GROWTH = 170;
  private static final long MEBIBYTE = 1 << 20;
  private static final String CHARON = "yarn.nodemanager.charon.";

  @TempDir private static Path state;
  @TempDir private Path files;
  private static NativeTools tools;
  private static TestNode node;

  private OwnMaster bestEffort;
  private OwnMaster production;

  @BeforeAll
  static void start() throws Exception {
    tools = NativeTools.of(Path.of("").toAbsolutePath().getParent());
    node =
        TestNode.startWithProduction(
            NODE,
            Map.of(
                CHARON + "memory-limit.mode", "enforce",
                CHARON + "regulator.helper", tools.killer().toString(),
                CHARON + "killer.threshold-percent", "0",
                CHARON + "killer.kernel.enabled", "false",
                CHARON + "scheduler.launch-backoff-ms", "1000"),
            state);
  }

  /** Creates a file that has not been read yet, because pages are charged to their first reader. */
  private String create(String name, int mebibytes) throws Exception {
    String file = files.resolve(name).toString();
    TimedProgram.Result made =
        TimedProgram.run(
            new ProcessBuilder(
                tools.workload().toString(), "create", file, Integer.toString(mebibytes)),
            Duration.ofMinutes(1));
    assertThat(made.exitCode()).as(made.said()).isZero();
    return file;
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
    }
  }

  @BeforeEach
  void begin() throws Exception {
    node.begin();
    Configuration cluster = node.cluster().clientConfiguration();
    bestEffort = new OwnMaster(cluster);
    production = new OwnMaster(cluster, TestNode.PRODUCTION_QUEUE);
  }

  @AfterEach
  void end() throws Exception {
    bestEffort.close();
    production.close();
    node.awaitNothingLeft();
    await("no limit without best-effort", () -> limit() >= NODE);
  }

  @Test
  @Tag("must-never")
  void productionGetsItsMemoryAndKeepsItsPagesAndOneContainerDiesForIt() throws Exception {
    Container stays = task(170, "idle 150");
    Container dies = task(110, "idle 90");
    Container reader = task(32, "cache " + create("cache", 150));
    Container busy = task(32, "bursts 2"); // briefly uses a little more each second
    await("best-effort fills what is left", () -> held("best-effort") >= 380);
    await("it is limited", () -> limit() <= NODE - RESERVE);
    assertThat(node.kills()).isEmpty();

    Path grow = files.resolve("grow");
    Container service = service(grow);
    await("production holds its pages", () -> pages(service) >= PAGES);
    await("the limit follows", () -> limit() <= NODE - held(service) - RESERVE + 8);
    assertThat(node.kills()).isEmpty();

    Files.createFile(grow);
    long fewest = PAGES;
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (anonymous(service) < GROWTH || node.kills().isEmpty()) {
      fewest = Math.min(fewest, pages(service));
      assertThat(System.nanoTime()).as("production has its memory, somebody died").isLessThan(end);
      Thread.sleep(20);
    }
    fewest = Math.min(fewest, fewestPages(service, Duration.ofSeconds(3)));
    System.out.printf(
        "production grew by %d MB: of its %d MB of pages at least %d MB stayed; kills %s%n",
        GROWTH, PAGES, fewest, node.kills());
    assertThat(node.kills()).hasSize(1);
    JsonNode kill = node.kills().get(0);
    assertThat(kill.path("by").asText()).isEqualTo("memory-limit");
    assertThat(kill.path("containerId").asText()).isEqualTo(dies.getId().toString());
    assertThat(kill.path("reason").asText())
        .startsWith("memory limit: best-effort holds ")
        .contains("which page cache does not cover; this container holds 9");
    assertThat(node.actions())
        .anyMatch(
            action ->
                action.path("regulator").asText().equals("memory-limit")
                    && action.path("action").asText().equals("kill")
                    && action.path("target").asText().equals(dies.getId().toString())
                    && action.path("result").asText().equals("applied: killed"));
    await("its ApplicationMaster is told", () -> bestEffort.ended(dies).isPresent());
    ContainerStatus status = bestEffort.ended(dies).orElseThrow();
    assertThat(status.getExitStatus()).isEqualTo(ContainerExitStatus.PREEMPTED);
    assertThat(status.getDiagnostics())
        .contains("Killed for memory by memory limit: best-effort holds ");
    for (Container survivor : List.of(stays, reader, busy)) {
      assertThat(bestEffort.ended(survivor)).isEmpty();
    }
    assertThat(production.ended(service)).isEmpty();
    // Growth that exhausts R between two samples costs pages: 1 to 12 of 100 MB here. This is
    // unsolved.
    assertThat(fewest).isGreaterThanOrEqualTo(PAGES * 8 / 10);
    assertThat(limit()).isLessThanOrEqualTo(NODE - held(service) - RESERVE + 8);
  }

  @Test
  @Tag("long")
  void itOutlivesTheNodeManagerAndIsTakenUpAgain() throws Exception {
    Container task = task(170, "idle 150");
    Container service = service(files.resolve("never"));
    await("production holds its pages", () -> pages(service) >= PAGES);
    await("best-effort has its memory", () -> held("best-effort") >= 150);
    await("the limit follows", () -> limit() <= NODE - held(service) - RESERVE + 8);
    assertThat(limitOfStatus().path("result").asText()).contains("moved every 20 ms");

    node.cluster().killNodeManager(0);
    long left = limit();
    Thread.sleep(1000);
    assertThat(limit()).as("while nobody moves it").isEqualTo(left);
    node.cluster().startNodeManager(0);
    await("it is moved again", () -> limitOfStatus().path("cores").asText().startsWith("moved"));
    assertThat(limit()).isLessThanOrEqualTo(left);
    assertThat(limitOfStatus().path("limit").asLong() / MEBIBYTE).isLessThanOrEqualTo(left);
    assertThat(node.kills()).as("wrong death: a kill").isEmpty();
    assertThat(bestEffort.ended(task)).as("wrong death: best-effort").isEmpty();
    assertThat(production.ended(service)).as("wrong death: production").isEmpty();
  }

  /**
   * A streaming reader, a random reader, a writer, a forking program, and finally one that fills a
   * tmpfs.
   */
  @Test
  @Tag("must-never")
  void whateverBestEffortDoesProductionKeepsItsPages() throws Exception {
    Container service = service(files.resolve("never"));
    await("production holds its pages", () -> pages(service) >= PAGES);
    String work = tools.workload().toString();
    String file = create("stream", 300);
    List<Container> caching =
        List.of(
            task(24, "stream " + file + " 1000000"),
            task(24, "file " + file + " 300 1"),
            bestEffort.run(
                "while :; do %s create %s 200; done".formatted(work, file + "-too"), 24));
    task(128, "forking 40 8");
    await("they run", () -> node.runningBestEffort().size() == 4);
    for (Container container : caching) {
      await(
          "it holds page cache", () -> stat(cgroup("best-effort", container), "total_cache ") > 0);
    }
    Path filled = Files.createTempFile(Path.of("/dev/shm"), "charon-it-", "");
    try {
      assertThat(fewestPages(service, Duration.ofSeconds(5))).isGreaterThanOrEqualTo(keptPages());
      bestEffort.run("head -c %dM /dev/zero >%s".formatted(NODE, filled), 24);
      await("it fills the tmpfs", () -> Files.size(filled) > 8 * MEBIBYTE);
      assertThat(fewestPages(service, Duration.ofSeconds(5))).isGreaterThanOrEqualTo(keptPages());
    } finally {
      Files.delete(filled);
    }
    assertThat(production.ended(service)).isEmpty();
    node.cluster().requireAlive();
  }

  private static long fewestPages(Container container, Duration time) throws Exception {
    long fewest = PAGES;
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      fewest = Math.min(fewest, pages(container));
      Thread.sleep(20);
    }
    return fewest;
  }

  private static long keptPages() {
    return (long) (KEPT * PAGES);
  }

  private Container task(int mebibytes, String words) throws Exception {
    return bestEffort.run(tools.workload() + " " + words + " >/dev/null 2>&1", mebibytes);
  }

  /**
   * Starts production that reads a file through a mapping. Once the file {@code grow} exists, it
   * grows, at first by about half a gigabyte per second.
   */
  private Container service(Path grow) throws Exception {
    String command =
        "%s work-mapped %s %d 20 200 >/dev/null & until [ -e %s ]; do sleep 0.05; done; %1$s respond 10000 1 1 300 1 %s >/dev/null"
            .formatted(
                tools.workload(),
                create("production", PAGES),
                PAGES,
                grow,
                String.join(" ", Collections.nCopies(100, Integer.toString(GROWTH))));
    return production.run(command, PAGES + GROWTH + 50);
  }

  private static Path cgroup(String kind, Container container) {
    return node.memoryCgroup().resolve(kind + "/" + container.getId());
  }

  private static long held(Container container) throws IOException {
    return number(cgroup("production", container).resolve("memory.usage_in_bytes"));
  }

  private static long held(String kind) throws IOException {
    return number(node.memoryCgroup().resolve(kind + "/memory.usage_in_bytes"));
  }

  private static long limit() throws IOException {
    return number(node.memoryCgroup().resolve("best-effort/memory.limit_in_bytes"));
  }

  private static long number(Path file) throws IOException {
    return Long.parseLong(Files.readString(file).strip()) / MEBIBYTE;
  }

  private static long pages(Container container) throws IOException {
    return stat(cgroup("production", container), "total_mapped_file ");
  }

  private static long anonymous(Container container) throws IOException {
    return stat(cgroup("production", container), "total_rss ");
  }

  private static long stat(Path cgroup, String field) throws IOException {
    Path file = cgroup.resolve("memory.stat");
    return Files.exists(file)
        ? Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(field))
                .mapToLong(line -> Long.parseLong(line.substring(field.length())))
                .sum()
            / MEBIBYTE
        : 0;
  }

  private static JsonNode limitOfStatus() throws InterruptedException {
    return StreamSupport.stream(node.status().path("regulators").spliterator(), false)
        .filter(one -> one.path("name").asText().equals("memory-limit"))
        .findFirst()
        .orElseThrow();
  }
}
