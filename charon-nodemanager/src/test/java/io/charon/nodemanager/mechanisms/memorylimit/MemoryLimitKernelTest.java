/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.memorylimit.KillCandidates;
import io.charon.core.law.memorylimit.KillCandidates.KillCandidate;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.Snapshot;
import io.charon.core.mechanism.WorkingSet;
import io.charon.nodemanager.Requirement;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.RealCgroups;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.sensor.ContainerMemorySensor;
import io.charon.nodemanager.sensor.ContainerMemorySensor.ContainerMemory;
import io.charon.nodemanager.sensor.MemoryHolding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the mechanism with the real program that moves the limit and this machine's kernel, in 400
 * MB.
 */
@ExtendWith(RealCgroups.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MemoryLimitKernelTest {
  private static final long MB = 1 << 20;
  private static final long NODE_MB = 400;

  /** The reserve R before any growth was seen. */
  private static final long RESERVE_MB = 16;

  /** Whether this machine has swap must not decide what is killed for, nor what stays behind. */
  private static final OptionalInt NO_SWAP = OptionalInt.of(0);

  private static final String BEST_EFFORT = "best";
  private static final String PRODUCTION = "prod";
  private static final Path TOOLS = Path.of("../kernel-ua-killer/target/native").toAbsolutePath();

  @TempDir private Path directory;
  private final Map<String, Process> running = new ConcurrentHashMap<>();
  private final Map<String, Long> reserved = new ConcurrentHashMap<>();
  private final List<String> kills = new CopyOnWriteArrayList<>();
  private CgroupLayout layout;
  private CgroupWriter writer;
  private Optional<Agent> agent = Optional.empty();
  private int dirtyPercent;

  /**
   * The parts of a NodeManager that the limit needs: a tick per second, and another one when memory
   * is due.
   */
  private final class Agent {
    private final Counter failures = new Counter();
    private final DyingContainers dying = new DyingContainers(System::nanoTime, () -> {});
    private final ActionExecutor executor =
        new ActionExecutor(
            dying,
            (mechanism, id, reason) -> kills.add(id + ": " + reason),
            ContainerControl.of(Optional.empty(), id -> running.get(id).destroyForcibly()),
            Audit.direct(Optional.empty(), Clock.systemUTC(), failures),
            failures,
            System::nanoTime);
    private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor();
    private final MemoryLimitParts parts;
    private final MechanismRunner runner;
    private final List<Exception> broken = new CopyOnWriteArrayList<>();
    private volatile boolean starts;

    Agent(RegulatorMode mode) throws Exception {
      parts =
          MemoryLimitParts.of(
              TestSettings.of(
                  "memory-limit.mode",
                  mode.name().toLowerCase(Locale.ROOT),
                  "memory-limit.dirty-percent",
                  Integer.toString(dirtyPercent),
                  "node.memory-boundary",
                  "cgroup"),
              layout,
              true,
              Path.of("/proc"),
              new Helper(List.of(TOOLS.resolve("ua-killer").toString()), Duration.ofSeconds(2)),
              () -> Map.copyOf(reserved),
              () -> ticker.execute(this::tick));
      runner =
          new MechanismRunner(
              List.of(new MechanismRunner.Entry(parts.mechanism(), mode)), executor);
      executor.use(
          Map.of(
              Limit.MEMORY,
              new MemoryBound(Optional.of(bytes -> {})),
              Limit.MEMORY_USE,
              parts.actuator()));
      runner.start();
      var unused = ticker.scheduleWithFixedDelay(this::tick, 0, 1, TimeUnit.SECONDS);
    }

    private void tick() {
      try {
        sample();
      } catch (IOException | RuntimeException e) {
        broken.add(e);
      }
    }

    private void sample() throws IOException {
      long nanos = System.nanoTime();
      Optional<MemoryHolding> holding = parts.read(nanos);
      if (holding.isPresent()) {
        runner.tick(new Snapshot(nanos, holding.get(), candidates()));
      }
      parts.sweep();
    }

    private KillCandidates candidates() throws IOException {
      List<KillCandidate> all = new ArrayList<>();
      new ContainerMemorySensor(layout)
          .read().values().stream()
              .filter(held -> held.containerClass() == ContainerClass.BEST_EFFORT)
              .filter(held -> runsOrStarts(held.containerId()))
              .map(this::candidate)
              .forEach(all::add);
      if (starts) {
        all.add(new KillCandidate("starting", WorkingSet.of(0), 0, true, false));
      }
      return new KillCandidates(all);
    }

    private boolean runsOrStarts(String id) {
      return Optional.ofNullable(running.get(id)).map(Process::isAlive).orElse(true);
    }

    private KillCandidate candidate(ContainerMemory held) {
      String id = held.containerId();
      return new KillCandidate(id, held.workingSet(), 1000, true, dying.contains(id));
    }

    MechanismRunner.State state() {
      return runner.states().get(0);
    }

    long value(String name) {
      return (long) state().report().value(name).orElse(-1);
    }

    void end() throws Exception {
      ticker.shutdown();
      assertThat(ticker.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
      executor.close();
      parts.close();
      assertThat(broken).isEmpty();
      agent = Optional.empty();
    }
  }

  @BeforeEach
  void aNodeOf400Megabytes() throws IOException {
    Requirement.require(
        MemoryLimitKernelTest.class,
        Files.isExecutable(TOOLS.resolve("ua-killer"))
            && Files.isExecutable(TOOLS.resolve("workload")),
        "no " + TOOLS + "/ua-killer: run make -C kernel-ua-killer/src/main/native");
    layout = RealCgroups.layout("limit");
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
    Files.writeString(
        CgroupFile.MEMORY_LIMIT.path(layout.nodeDirectory(layout.memory()), layout.version()),
        Long.toString(NODE_MB * MB));
    if (layout.version() == CgroupVersion.V2) {
      Files.writeString(layout.nodeDirectory(layout.memory()).resolve("memory.swap.max"), "0");
    }
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    if (agent.isPresent()) {
      agent.get().end();
    }
    for (Process process : running.values()) {
      process.destroyForcibly().waitFor();
    }
    if (writer != null) {
      for (String id : writer.containers()) {
        assertThat(writer.removeContainer(id)).isTrue();
      }
      assertThat(writer.removeNode()).isTrue();
    }
  }

  private Agent agent(RegulatorMode mode) throws Exception {
    Agent started = new Agent(mode);
    agent = Optional.of(started);
    return started;
  }

  private void start(String id, ContainerClass kind, String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of(TOOLS + "/workload"));
    all.addAll(List.of(words));
    startProgram(id, kind, all);
  }

  private void startProgram(String id, ContainerClass kind, List<String> words) throws IOException {
    String enter = RealCgroups.entering(writer.createContainer(id, kind, NO_SWAP));
    List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", enter + "exec \"$@\"", "sh"));
    all.addAll(words);
    running.put(
        id,
        new ProcessBuilder(all)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** Starts production that grows to this size, initially by about half a gigabyte per second. */
  private void growing(long megabytes) throws IOException {
    reserved.put(PRODUCTION, megabytes * MB);
    List<String> words = new ArrayList<>(List.of("respond", "10000", "1", "1", "300", "1"));
    words.addAll(Collections.nCopies(100, Long.toString(megabytes)));
    start(PRODUCTION, ContainerClass.PRODUCTION, words.toArray(String[]::new));
  }

  private void production(long megabytes) throws IOException {
    reserved.put(PRODUCTION, megabytes * MB);
    start(PRODUCTION, ContainerClass.PRODUCTION, "idle", Long.toString(megabytes));
  }

  private void bestEffort(String... words) throws IOException {
    start(BEST_EFFORT, ContainerClass.BEST_EFFORT, words);
  }

  private Path file(long megabytes) throws Exception {
    return file("file", megabytes);
  }

  private Path file(String name, long megabytes) throws Exception {
    Path file = directory.resolve(name);
    run(TOOLS.resolve("workload").toString(), "create", file.toString(), "" + megabytes);
    return file;
  }

  /** Starts a process outside YARN, whose entitlement is unknown. */
  private Path service(String... words) throws IOException {
    Path cgroup = Files.createDirectory(layout.nodeDirectory(layout.memory()).resolve("service"));
    List<String> all =
        new ArrayList<>(
            List.of(
                "/bin/sh",
                "-c",
                "echo $$ > " + cgroup + "/cgroup.procs || exit 7; exec \"$@\" >/dev/null",
                "sh",
                TOOLS + "/workload"));
    all.addAll(List.of(words));
    running.put("service", new ProcessBuilder(all).inheritIO().start());
    return cgroup;
  }

  /** A second attempt does not make a wrong death good, as CONTRIBUTING.md explains. */
  private void assertLives(String id) {
    assertThat(running.get(id).isAlive()).as("wrong death: %s", id).isTrue();
  }

  /** Asserts that these containers, and no others, were killed, each of them once. */
  private void assertKilled(String... ids) {
    assertThat(kills.stream().map(kill -> kill.substring(0, kill.indexOf(':'))))
        .as("wrong death: %s", kills)
        .containsExactly(ids);
  }

  /**
   * Waits until nothing is left to kill for, and asserts that only this container was killed. After
   * its death the node says what was due before, until it decides again.
   */
  private void awaitNothingDueAfter(String killed, Agent node) throws Exception {
    assertKilled(killed);
    await(killed + " is dead", () -> !running.get(killed).isAlive());
    await("nothing is due", () -> node.value("due") == 0);
    assertKilled(killed);
  }

  private static void run(String... words) throws Exception {
    assertThat(new ProcessBuilder(words).inheritIO().start().waitFor()).isZero();
  }

  private Path parent(ContainerClass kind) {
    return layout.classDirectory(layout.memory(), kind);
  }

  private long number(ContainerClass kind, CgroupFile file) throws IOException {
    String text = Files.readString(file.path(parent(kind), layout.version())).strip();
    return text.equals("max") ? Long.MAX_VALUE : Long.parseLong(text);
  }

  private long limitMb() throws IOException {
    return number(ContainerClass.BEST_EFFORT, CgroupFile.MEMORY_LIMIT) / MB;
  }

  private boolean isLimited() throws IOException {
    return limitMb() < NODE_MB;
  }

  private long heldMb(ContainerClass kind) throws IOException {
    return number(kind, CgroupFile.MEMORY_USAGE) / MB;
  }

  private void awaitHeld(ContainerClass kind, long megabytes) throws Exception {
    await(kind + " holds " + megabytes + " MB", () -> heldMb(kind) >= megabytes);
  }

  private Optional<ProcessHandle> tool() {
    return ProcessHandle.current()
        .children()
        .filter(child -> child.info().command().orElse("").endsWith("/ua-killer"))
        .findFirst();
  }

  @Test
  void whereNoBestEffortRunsNothingIsLimitedAndNoProgramRuns() throws Exception {
    production(100);
    agent(RegulatorMode.ENFORCE);
    await("it decides", () -> !agent.orElseThrow().state().result().isEmpty());
    assertThat(isLimited()).isFalse();
    assertThat(tool()).isEmpty();
  }

  /** Even the first memory counts: best-effort is limited before its first container starts. */
  @Test
  void theFirstContainerNeverHasMoreThanIsLeft() throws Exception {
    production(200);
    awaitHeld(ContainerClass.PRODUCTION, 200);
    Agent node = agent(RegulatorMode.ENFORCE);
    await("it decides", () -> !node.state().result().isEmpty());
    node.starts = true;
    node.ticker.execute(node::tick);
    await("it is limited", this::isLimited);
    assertThat(running).doesNotContainKey(BEST_EFFORT);
    assertThat(limitMb()).isLessThanOrEqualTo(NODE_MB - 200 - RESERVE_MB);
    node.starts = false;
    await("nobody came: no limit", () -> !isLimited());
  }

  @Test
  void itFollowsProductionAndReclaimsPageCacheWithoutAKill() throws Exception {
    Agent node = agent(RegulatorMode.ENFORCE);
    bestEffort("cache", file(250).toString());
    await("a limit appears", this::isLimited);
    awaitHeld(ContainerClass.BEST_EFFORT, 240);

    production(250);
    long late = longestNanosAbove(NODE_MB - node.value("reserve") / MB + 2, 250);
    System.out.printf(
        "while production grew by 250 MB and best-effort held 250 MB of page cache, its use and the"
            + " limit left less than the reserve for at most %d ms%n",
        TimeUnit.NANOSECONDS.toMillis(late));
    assertThat(late).isLessThan(TimeUnit.SECONDS.toNanos(2));
    awaitHeld(ContainerClass.PRODUCTION, 250);
    await("the limit is what is left", () -> limitMb() <= NODE_MB - 250 - RESERVE_MB);
    await(
        "page cache is gone",
        () -> heldMb(ContainerClass.BEST_EFFORT) <= NODE_MB - 250 - RESERVE_MB);
    await("the status says so", () -> node.value(MechanismReport.LIMIT) / MB <= 134);
    Thread.sleep(1000);
    assertKilled();
    assertLives(BEST_EFFORT);
    assertLives(PRODUCTION);

    running.get(BEST_EFFORT).destroyForcibly().waitFor();
    await("nobody is left: no limit", () -> !isLimited());
    await("no program is left", () -> tool().isEmpty());
  }

  /**
   * Returns the longest time for which production and the limit together exceed {@code megabytes},
   * while production grows to {@code grown} MB.
   */
  private long longestNanosAbove(long megabytes, long grown) throws Exception {
    long longest = 0;
    long below = System.nanoTime();
    long end = below + Duration.ofSeconds(10).toNanos();
    while (System.nanoTime() < end && heldMb(ContainerClass.PRODUCTION) < grown) {
      long sum = heldMb(ContainerClass.PRODUCTION) + Math.min(NODE_MB, limitMb());
      long now = System.nanoTime();
      below = sum <= megabytes ? now : below;
      longest = Math.max(longest, now - below);
    }
    return longest;
  }

  @Test
  void whatNoPageCacheCoversIsKilledForOnceAndProductionLives() throws Exception {
    Agent node = agent(RegulatorMode.ENFORCE);
    bestEffort("idle", "150");
    start("other", ContainerClass.BEST_EFFORT, "idle", "60");
    awaitHeld(ContainerClass.BEST_EFFORT, 210);
    await("it is limited", this::isLimited);

    production(180);
    await("one of them dies", () -> !kills.isEmpty());
    awaitHeld(ContainerClass.PRODUCTION, 180);
    awaitNothingDueAfter("other", node);
    assertThat(kills.get(0))
        .startsWith("other: memory limit: best-effort holds ")
        .containsPattern("which page cache does not cover; this container holds (59|60) MiB$");
    assertLives(BEST_EFFORT);
    assertLives(PRODUCTION);
  }

  /** Files in memory outlive a kill, so the container that has written them is no victim. */
  @Test
  void filesInMemoryAreNoReasonForAKillAndStayKnownWhenTheirContainerHasEnded() throws Exception {
    Path file = Files.createTempFile(Path.of("/dev/shm"), "charon-limit", null);
    try {
      Agent node = agent(RegulatorMode.ENFORCE);
      startProgram(
          BEST_EFFORT,
          ContainerClass.BEST_EFFORT,
          List.of("sh", "-c", "$0 create $1 60; exec sleep 600", TOOLS + "/workload", "" + file));
      start("other", ContainerClass.BEST_EFFORT, "idle", "120");
      awaitHeld(ContainerClass.BEST_EFFORT, 180);
      await("it is limited", this::isLimited);
      production(206);
      await("one of them dies", () -> !kills.isEmpty());
      awaitHeld(ContainerClass.PRODUCTION, 206);
      awaitNothingDueAfter("other", node);
      assertThat(kills.get(0)).startsWith("other: memory limit: ");
      assertLives(BEST_EFFORT);
      assertLives(PRODUCTION);
      assertThat(node.value("leftover")).isZero();

      running.get(BEST_EFFORT).destroyForcibly().waitFor();
      await("its cgroup is removed", () -> writer.removeContainer(BEST_EFFORT));
      // Linux may swap some pages of it out, for another reason.
      await("its file is known", () -> node.value("leftover") >= 59 * MB);
    } finally {
      Files.delete(file);
    }
    await("nothing is left over", () -> agent.orElseThrow().value("leftover") == 0);
  }

  /** Page cache that a process has locked is not reclaimable, and is released by its death. */
  @Test
  void lockedPageCacheIsKilledForAndProductionLives() throws Exception {
    Agent node = agent(RegulatorMode.ENFORCE);
    bestEffort("locked", file(150).toString(), "150");
    awaitHeld(ContainerClass.BEST_EFFORT, 150);
    await("it is limited", this::isLimited);
    await("it is not reclaimable", () -> node.value("unreclaimable") >= 145 * MB);

    production(235);
    await("it dies", () -> !kills.isEmpty());
    awaitHeld(ContainerClass.PRODUCTION, 235);
    awaitNothingDueAfter(BEST_EFFORT, node);
    assertThat(kills.get(0)).startsWith(BEST_EFFORT + ": memory limit: ");
    assertLives(PRODUCTION);
    assertThat(heldMb(ContainerClass.PRODUCTION)).isGreaterThanOrEqualTo(235);
  }

  /** Mapped file pages of any process are in use. */
  @Test
  void whatAServiceWithoutARightHasMappedIsNotTakenFromIt() throws Exception {
    Path cgroup = service("work-mapped", file("mapped", 120).toString(), "120", "20", "200");
    try {
      Path usage = CgroupFile.MEMORY_USAGE.path(cgroup, layout.version());
      await("it holds its pages", () -> mb(usage) >= 120);
      Path stream = file(250);
      Agent node = agent(RegulatorMode.ENFORCE);
      node.starts = true; // as before a NodeManager starts a container
      await("it is limited", this::isLimited);
      bestEffort("stream", stream.toString(), "1000000");
      await("best-effort fills the rest", () -> heldMb(ContainerClass.BEST_EFFORT) >= 200);
      assertThat(mb(usage)).isGreaterThanOrEqualTo(120);
      growing(110);
      awaitHeld(ContainerClass.PRODUCTION, 110);
      await("the limit is what is left", () -> limitMb() <= NODE_MB - 120 - 110 - RESERVE_MB);
      // Growth faster than the samples of a busy machine costs some pages, which it reads again.
      await("it has its pages", () -> mb(usage) >= 120);
      long fewest = Long.MAX_VALUE;
      for (int i = 0; i < 100; i++) {
        fewest = Math.min(fewest, mb(usage));
        Thread.sleep(20);
      }
      System.out.printf("a service without a right kept %d of 120 MB that it has mapped%n", fewest);
      assertThat(fewest).isGreaterThanOrEqualTo(114);
      assertKilled();
    } finally {
      running.get("service").destroyForcibly().waitFor();
      await("its cgroup can be removed", () -> cgroup.toFile().delete());
    }
  }

  private static long mb(Path file) throws IOException {
    return Long.parseLong(Files.readString(file).strip()) / MB;
  }

  /** Production's small steps into the reserve are no reason for a kill. */
  @Test
  void aShortageThatTheReserveCoversCausesNoKill() throws Exception {
    production(200);
    awaitHeld(ContainerClass.PRODUCTION, 200);
    // 40 MB stay free: for the first ten minutes production is assumed to grow by 1 GB/s.
    bestEffort("idle", Long.toString(NODE_MB - 200 - 40 - 6));
    awaitHeld(ContainerClass.BEST_EFFORT, 150);
    Agent node = agent(RegulatorMode.ENFORCE);
    await("it is limited", this::isLimited);

    start("more", ContainerClass.PRODUCTION, "idle", "8");
    await("something is due", () -> node.value("due") > 0);
    Thread.sleep(1500);
    assertThat(node.value("due")).isBetween(1L, node.value("reserve") / 4);
    assertKilled();
    assertLives(BEST_EFFORT);
  }

  /** Linux acts faster than any other killer there, and kills only best-effort. */
  @Test
  @Tag("must-never")
  void linuxKillsAContainerAboveTheLimitAndProductionKeepsItsMemory() throws Exception {
    Agent node = agent(RegulatorMode.ENFORCE);
    production(200);
    awaitHeld(ContainerClass.PRODUCTION, 200);
    bestEffort("idle", "20");
    await("the limit is what is left", () -> limitMb() <= NODE_MB - 200 - RESERVE_MB);
    start("grows", ContainerClass.BEST_EFFORT, "idle", "300");
    await("it dies", () -> !running.get("grows").isAlive());
    assertLives(BEST_EFFORT);
    assertLives(PRODUCTION);
    assertThat(heldMb(ContainerClass.PRODUCTION)).isGreaterThanOrEqualTo(200);
    assertKilled();
    await("nothing is due", () -> node.value("due") == 0);
  }

  @Test
  void theLimitOutlivesTheAgentWhileBestEffortRunsAndIsTakenUpAgain() throws Exception {
    Agent first = agent(RegulatorMode.ENFORCE);
    production(200);
    bestEffort("idle", "60");
    awaitHeld(ContainerClass.PRODUCTION, 200);
    awaitHeld(ContainerClass.BEST_EFFORT, 60);
    await("the limit is what is left", () -> limitMb() <= NODE_MB - 200 - RESERVE_MB);
    first.end();
    assertThat(tool()).isEmpty();
    long left = number(ContainerClass.BEST_EFFORT, CgroupFile.MEMORY_LIMIT);

    running.get(PRODUCTION).destroyForcibly().waitFor(); // there would be room for more
    Agent second = agent(RegulatorMode.ENFORCE);
    await("it decides", () -> second.value(MechanismReport.LIMIT) >= 0);
    assertThat(second.value(MechanismReport.LIMIT)).isEqualTo(left);
    await("somebody moves it again", () -> tool().isPresent());
    Thread.sleep(2200);
    assertThat(number(ContainerClass.BEST_EFFORT, CgroupFile.MEMORY_LIMIT)).isEqualTo(left);
    assertThat(second.value(MechanismReport.LIMIT)).isEqualTo(left);
    assertKilled();
    assertLives(BEST_EFFORT);

    second.end();
    Agent observing = agent(RegulatorMode.OBSERVE);
    await("it observes", () -> observing.value(MechanismReport.LIMIT) > 0);
    assertThat(number(ContainerClass.BEST_EFFORT, CgroupFile.MEMORY_LIMIT)).isEqualTo(left);
    running.get(BEST_EFFORT).destroyForcibly().waitFor();
    await("nobody is left: no limit", () -> !isLimited());

    observing.end();
    agent(RegulatorMode.ENFORCE);
    start("another", ContainerClass.BEST_EFFORT, "idle", "20");
    await("the next one is limited", this::isLimited);
    running.get("another").destroyForcibly().waitFor();
    agent.orElseThrow().end();
    assertThat(isLimited()).isFalse();
  }

  /** An unreadable limit does not endanger production's memory: here the cgroup was removed. */
  @Test
  void aCgroupThatIsGoneBreaksNothing() throws Exception {
    Agent node = agent(RegulatorMode.ENFORCE);
    bestEffort("idle", "20");
    await("it is limited", this::isLimited);
    running.get(BEST_EFFORT).destroyForcibly().waitFor();
    assertThat(writer.removeContainer(BEST_EFFORT)).isTrue();
    await("its cgroup can be removed", () -> parent(ContainerClass.BEST_EFFORT).toFile().delete());
    await("no program is left", () -> tool().isEmpty());
    Thread.sleep(1200);
    bestEffort("idle", "20");
    await("it is limited again", this::isLimited);
    assertThat(node.state().unavailable()).isEmpty();
  }

  @Test
  void aLimitThatTheKernelRefusesIsSaidAndTheNodeGoesOnAndTriesAgain() throws Exception {
    Agent node = agent(RegulatorMode.ENFORCE);
    bestEffort("idle", "20");
    await("it is limited", this::isLimited);
    String file =
        CgroupFile.MEMORY_LIMIT.path(parent(ContainerClass.BEST_EFFORT), layout.version()) + "";
    run("mount", "--bind", file, file);
    try {
      run("mount", "-o", "remount,bind,ro", file);
      tool().orElseThrow().destroyForcibly();
      await("it is said", () -> node.state().result().contains("failed: " + file));
      assertThat(node.state().report().note().orElseThrow()).contains("is not running");
      production(200);
      awaitHeld(ContainerClass.PRODUCTION, 200);
      long failures = node.failures.getCount();
      await("it is tried again", () -> node.failures.getCount() > failures);
      assertLives(BEST_EFFORT);
      assertKilled();
    } finally {
      run("umount", file);
    }
    await("it can be written again", () -> limitMb() <= NODE_MB - 200 - RESERVE_MB);
    await("that is said", () -> !node.state().result().contains("failed"));
  }

  @Test
  void withoutItsProgramOneLookASecondIsLeftAndItIsStartedAgain() throws Exception {
    Agent node = agent(RegulatorMode.ENFORCE);
    bestEffort("idle", "60");
    await("the program runs", () -> tool().isPresent());
    await("it is limited", this::isLimited);
    ProcessHandle killed = tool().orElseThrow();
    killed.destroyForcibly();
    long gone = System.nanoTime();
    await(
        "it says so",
        () -> node.state().report().note().orElse("").contains("one sample per second"));
    await("and not that it is moved", () -> !node.state().result().contains("every 20 ms"));
    assertThat(node.state().report().detail()).isEmpty();
    assertThat(System.nanoTime() - gone)
        .as("nobody waits for the next tick")
        .isLessThan(TimeUnit.MILLISECONDS.toNanos(900));
    await("more stays free", () -> limitMb() <= NODE_MB - NODE_MB / 10);
    await("another one runs", () -> tool().filter(ProcessHandle::isAlive).isPresent());
    await("it says nothing more", () -> node.state().report().note().isEmpty());
    assertThat(isLimited()).isTrue();
    ProcessHandle next = tool().orElseThrow();
    assertThat(next.pid()).isNotEqualTo(killed.pid());

    next.destroyForcibly();
    long ended = System.nanoTime();
    await("a third one runs", () -> tool().filter(found -> found.pid() != next.pid()).isPresent());
    assertThat(System.nanoTime() - ended).isGreaterThan(TimeUnit.SECONDS.toNanos(2));
    assertKilled();
  }

  /**
   * Memory other than page cache is always needed, whatever was reserved and whether the
   * reservation is known or not.
   */
  @ParameterizedTest
  @ValueSource(longs = {100, -1})
  @Tag("long")
  void productionBeyondItsReservationAndOfUnknownReservationKeepsWhatItUses(long megabytes)
      throws Exception {
    Agent node = agent(RegulatorMode.ENFORCE);
    bestEffort("cache", file(250).toString());
    await("a limit appears", this::isLimited);
    awaitHeld(ContainerClass.BEST_EFFORT, 240);

    growing(240);
    if (megabytes < 0) {
      reserved.remove(PRODUCTION);
    } else {
      reserved.put(PRODUCTION, megabytes * MB);
    }
    awaitHeld(ContainerClass.PRODUCTION, 240);
    await("the limit is what is left", () -> limitMb() <= NODE_MB - 240 - RESERVE_MB);
    await(
        "page cache is gone",
        () -> heldMb(ContainerClass.BEST_EFFORT) <= NODE_MB - 240 - RESERVE_MB);
    assertThat(heldMb(ContainerClass.PRODUCTION)).isGreaterThanOrEqualTo(240);
    assertKilled();
    assertLives(BEST_EFFORT);
    assertLives(PRODUCTION);
    assertThat(node.state().unavailable()).isEmpty();
  }

  /**
   * Production recycles its own pages beyond its entitlement; best-effort is not pushed out for
   * them.
   */
  @Test
  @Tag("long")
  void productionThatStreamsForEverKeepsItsRightAndBestEffortItsMemory() throws Exception {
    Agent node = agent(RegulatorMode.ENFORCE);
    bestEffort("idle", "120");
    awaitHeld(ContainerClass.BEST_EFFORT, 120);
    await("a limit appears", this::isLimited);
    Path stream = file(600);
    reserved.put(PRODUCTION, 100 * MB);
    start(PRODUCTION, ContainerClass.PRODUCTION, "stream", stream.toString(), "1000000");
    await("the node is full", () -> heldMb(ContainerClass.PRODUCTION) >= 220);

    long least = Long.MAX_VALUE;
    for (int look = 0; look < 250; look++) {
      least = Math.min(least, heldMb(ContainerClass.PRODUCTION));
      Thread.sleep(20);
    }
    System.out.printf(
        "production streamed for 5 s with a right to 100 MB: it held at least %d MB, best-effort's"
            + " limit is %d MB%n",
        least, limitMb());
    assertThat(least).isGreaterThanOrEqualTo(100);
    assertThat(limitMb()).isBetween(120L, NODE_MB - 100 - RESERVE_MB);
    assertKilled();
    assertLives(BEST_EFFORT);
    assertThat(heldMb(ContainerClass.BEST_EFFORT)).isGreaterThanOrEqualTo(120);
    assertThat(node.state().unavailable()).isEmpty();
  }

  /** Without the mechanism, the kernel writes back pages that are about 30 s old. */
  @Test
  @Tag("long")
  void whatBestEffortHasWrittenIsWrittenBackEarlyWhereTheOperatorWantsThat() throws Exception {
    String kind = Files.getFileStore(directory).type();
    Requirement.require(
        MemoryLimitKernelTest.class,
        Set.of("ext4", "ext3", "ext2", "xfs").contains(kind),
        directory + " is on " + kind + ", whose files have no disk of their own");
    dirtyPercent = 5;
    Agent node = agent(RegulatorMode.ENFORCE);
    Path written = directory.resolve("written");
    startProgram(
        BEST_EFFORT,
        ContainerClass.BEST_EFFORT,
        List.of(
            "sh",
            "-c",
            "exec 3<>$0; head -c 80M /dev/zero >&3; : >$0.done;"
                + " while :; do head -c 64k /dev/zero >&3; sleep 0.05; done",
            written.toString()));
    await("it has written", () -> Files.exists(directory.resolve("written.done")));
    await("few of its pages are dirty", () -> dirtyMb() <= NODE_MB * 5 / 100);
    await(
        "the status says how many",
        () ->
            node.state()
                .report()
                .detail()
                .orElse("")
                .endsWith(" MiB of best-effort's pages are dirty"));
    assertKilled();
    assertLives(BEST_EFFORT);
  }

  private long dirtyMb() throws IOException {
    String field = layout.version() == CgroupVersion.V1 ? "total_dirty " : "file_dirty ";
    return Files.readAllLines(
                CgroupFile.MEMORY_STAT.path(parent(ContainerClass.BEST_EFFORT), layout.version()))
            .stream()
            .filter(line -> line.startsWith(field))
            .mapToLong(line -> Long.parseLong(line.substring(field.length())))
            .sum()
        / MB;
  }
}
