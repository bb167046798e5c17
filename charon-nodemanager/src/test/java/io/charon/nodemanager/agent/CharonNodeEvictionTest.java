/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.ContainerEnd;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.report.status.RegulatorDocument;
import io.charon.web.http.WebAccess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests eviction in the whole agent, on a directory that simulates /proc, with a tick of 100 ms.
 */
@Tag("hadoop")
@Tag("long")
class CharonNodeEvictionTest {
  private static final long MIB = 1 << 20;

  @TempDir private Path root;
  private final Map<String, Long> processes = new ConcurrentHashMap<>();
  private final List<String> signals = new CopyOnWriteArrayList<>();
  private final FakeYarn yarn =
      new FakeYarn()
          .rootProcesses(() -> processes)
          .killer(id -> signals.add("KILL " + id))
          .terminator(id -> signals.add("TERM " + id));
  private final AtomicLong laterNanos = new AtomicLong();
  private CharonNode node;

  @AfterEach
  void close() {
    if (node != null) {
      node.close();
      node = null;
    }
  }

  private void start(String... more) throws IOException {
    Files.createDirectories(root.resolve("proc"));
    available(900);
    List<String> keys =
        Stream.concat(
                Stream.of(
                    "node.tick-ms", "100",
                    "cgroup.enabled", "false",
                    "killer.threshold-percent", "0",
                    "audit.directory", root.resolve("audit").toString()),
                Stream.of(more))
            .toList();
    node =
        new CharonNode(
            TestSettings.of(keys.toArray(String[]::new)),
            new Surroundings(
                root.resolve("proc"),
                root.resolve("sys"),
                Clock.systemUTC(),
                () -> System.nanoTime() + laterNanos.get(),
                WebAccess.unconfigured()),
            yarn);
    node.start();
  }

  private void available(long mebibytes) throws IOException {
    proc(
        "meminfo",
        "MemTotal: %d kB%nMemAvailable: %d kB%n".formatted(1000 * 1024, mebibytes * 1024));
  }

  private void proc(String file, String content) throws IOException {
    Path target = root.resolve("proc").resolve(file);
    Files.createDirectories(target.getParent());
    Files.writeString(target, content);
  }

  private void processesWaitHalfTheTime() {
    long micros = System.nanoTime() / 2000;
    try {
      proc(
          "pressure/memory",
          "some avg10=50.00 avg60=0.00 avg300=0.00 total=%d%n".formatted(micros));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void runs(ContainerInfo container, long pid, long mebibytes) throws IOException {
    proc(pid + "/status", "PPid: 1%nRssAnon: %d kB%n".formatted(mebibytes * 1024));
    processes.put(container.containerId(), pid);
    node.gate().orElseThrow().adopt(container.launchRequest());
    var unused = node.lifecycle().starting(container);
    await(() -> workingSet(container.containerId()) == mebibytes * MIB);
  }

  private long workingSet(String id) {
    return node.containers().stream()
        .filter(entry -> entry.info().containerId().equals(id))
        .mapToLong(entry -> entry.workingSetBytes())
        .findFirst()
        .orElse(-1);
  }

  private void ends(String id) {
    processes.remove(id);
    node.lifecycle().stopped(id);
    node.lifecycle().ended(id, ContainerEnd.KILLED_FOR_MEMORY);
  }

  private void threeRun() throws IOException {
    runs(ContainerInfos.production("container_9", 400 * MIB), 79, 400);
    runs(ContainerInfos.bestEffort("container_1", 100 * MIB), 71, 30);
    runs(ContainerInfos.bestEffort("container_2", 100 * MIB), 72, 30);
    runs(ContainerInfos.bestEffort("container_3", 100 * MIB), 73, 30);
  }

  private RegulatorDocument regulator(String name) {
    return node.status().mechanisms().regulators().stream()
        .filter(regulator -> regulator.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private double metric(String name) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      node.metricsText().write(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .findFirst()
        .orElse(Double.NaN); // unknown
  }

  private String audit() throws IOException {
    Path file = root.resolve("audit/audit.jsonl");
    return Files.exists(file) ? Files.readString(file) : "";
  }

  @Test
  void aboveTheLineTheNewestIsKilledAndBelowItNone() throws IOException {
    start("evict-line.mode", "enforce");
    threeRun();
    assertThat(signals).isEmpty();

    available(295); // 705 MiB are used; 25 MiB are missing to get down to 680
    await(() -> !signals.isEmpty());
    available(325);
    ends("container_3");
    await(() -> regulator("evict-line").cause().startsWith("less than 70 %"));
    assertThat(signals).containsExactly("KILL container_3");
    assertThat(node.status().containment().kills())
        .singleElement()
        .satisfies(
            kill -> {
              assertThat(kill.by()).isEqualTo("evict-line");
              assertThat(kill.reason()).startsWith("eviction above a memory line: 705 of 1000 MiB");
            });
    assertThat(node.status().launches().launchesDelayedSeconds()).isPositive();
    close();
    assertThat(audit())
        .contains("\"regulator\":\"evict-line\"", "\"action\":\"kill\"", "applied: killed")
        .contains("\"used\":", "\"capacity\":", "\"release\":");
  }

  @Test
  void launchesDoNotCountOnWhatTheyWouldBeEvictedFor() throws IOException {
    start("evict-line.mode", "enforce"); // 900 of 1000 MiB are available, minus a margin of 50
    await(() -> node.status().launches().snapshotBytes() == 530 * MIB);
    close();
    start("evict-line.mode", "observe");
    await(() -> node.status().launches().snapshotBytes() == 850 * MIB);
  }

  @Test
  void withAGraceItIsAskedFirstAndKilledIfItDoesNotEnd() throws IOException {
    start("evict-line.mode", "enforce", "eviction.memory-grace-ms", "300");
    threeRun();
    available(295);
    await(() -> signals.contains("KILL container_3"));
    assertThat(signals).startsWith("TERM container_3", "KILL container_3");
  }

  @Test
  @Tag("must-never")
  void aContainerThatEndsOrIsPromotedWithinItsGraceIsNotKilled() throws IOException {
    start("evict-line.mode", "enforce", "eviction.memory-grace-ms", "60000");
    threeRun();
    available(275); // 725 MiB are used; 45 are missing, so two containers go
    await(() -> signals.size() == 2);
    available(900);
    ends("container_3");
    node.lifecycle().changed(ContainerInfos.production("container_2", 100 * MIB));
    laterNanos.addAndGet(Duration.ofMinutes(2).toNanos());
    long ticks = ticks();
    await(() -> ticks() > ticks + 3);
    assertThat(signals).containsExactly("TERM container_3", "TERM container_2");
    assertThat(node.lifecycle().killReason("container_2"))
        .as("if it fails one day, that is a failure")
        .isEmpty();
  }

  private long ticks() {
    return (long) metric("charon_tick_seconds_count");
  }

  @Test
  @Tag("must-never")
  void inObserveNoContainerIsKilledAndTheAuditHasTheIntendedActions() throws IOException {
    start("evict-line.mode", "observe");
    threeRun();
    available(295);
    await(() -> "at least 70 % is in use".equals(regulator("evict-line").cause()));
    long ticks = ticks();
    await(() -> ticks() > ticks + 3);
    assertThat(signals).isEmpty();
    close();
    assertThat(audit().lines().filter(line -> line.contains("evict-line")))
        .singleElement()
        .asString()
        .contains("\"target\":\"container_3\"", "not applied: observe");
  }

  @Test
  void aShortageWithoutVictimsIsReportedAsUnmet() throws IOException {
    start("evict-line.mode", "enforce");
    available(220);
    await(() -> metric("charon_regulator_unmet_bytes") > 0);
    assertThat(metric("charon_regulator_unmet_bytes")).isEqualTo(100.0 * MIB);
    await(() -> regulator("evict-line").limit().cores() != null);
    assertThat(regulator("evict-line").limit().cores()).startsWith("unmet: ");
    available(900);
    await(() -> metric("charon_regulator_unmet_bytes") == 0);
    assertThat(signals).isEmpty();
  }

  @Test
  void pressureNeedsMemoryThatIsFullToo() throws IOException {
    processesWaitHalfTheTime();
    start("evict-psi.mode", "enforce", "eviction.order", "largest");
    node.signals().onTick(this::processesWaitHalfTheTime);
    threeRun();
    available(250);
    await(
        () ->
            "processes wait for memory, but the memory is not full"
                .equals(regulator("evict-psi").cause()));
    assertThat(signals).isEmpty();
    available(150);
    await(() -> !signals.isEmpty());
    assertThat(signals).containsExactly("KILL container_3");
  }

  @Test
  void aRuleWithoutItsSensorSaysSoAndTheOthersGoOn() throws IOException {
    start("evict-psi.mode", "enforce", "evict-line.mode", "enforce");
    threeRun();
    assertThat(regulator("evict-psi").available()).isFalse();
    assertThat(regulator("evict-psi").unavailable()).contains("psi=1");
    available(295);
    await(() -> !signals.isEmpty());
    assertThat(signals).containsExactly("KILL container_3");
  }

  @Test
  @Tag("must-never")
  void aVictimPromotedBeforeTheKillRunsOnAndItsEndIsNotAttributed() throws IOException {
    start("evict-line.mode", "enforce");
    threeRun();
    yarn.killer(
        id -> {
          signals.add("REFUSED " + id);
          throw new IOException(id + " was promoted to production a moment ago");
        });
    available(295);
    await(() -> !signals.isEmpty());
    await(() -> node.lifecycle().killReason("container_3").isEmpty());
    available(900);
    close();
    assertThat(audit()).contains("failed: java.io.IOException: container_3 was promoted");
  }

  /** Pending evictions are kept in memory only: after a restart they are decided anew. */
  @Test
  void aRestartWithinTheGraceCausesNoKillForAnEarlierShortage() throws IOException {
    start("evict-line.mode", "enforce", "eviction.memory-grace-ms", "60000");
    threeRun();
    available(295);
    await(() -> !signals.isEmpty());
    close();

    Map<String, Long> left = new TreeMap<>(processes);
    start("evict-line.mode", "enforce", "eviction.memory-grace-ms", "60000");
    left.forEach(
        (id, pid) -> {
          ContainerInfo container =
              id.equals("container_9")
                  ? ContainerInfos.production(id, 400 * MIB)
                  : ContainerInfos.bestEffort(id, 100 * MIB);
          node.gate().orElseThrow().adopt(container.launchRequest());
          node.lifecycle().reacquired(container);
        });
    await(() -> "less than 70 % is in use".equals(regulator("evict-line").cause()));
    assertThat(signals).containsExactly("TERM container_3");
    available(295);
    await(() -> signals.size() == 2);
    assertThat(signals).endsWith("TERM container_3");
  }
}
