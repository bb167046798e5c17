/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.interference.SpeedSeries.Mark;
import io.charon.evaluation.killer.WorkingSetFile;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.UaKiller;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuSplit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Runs one episode on nodes of its own, and leaves nothing of it behind. */
final class EpisodeRun {
  private static final long SAMPLE_MILLIS = 100;

  /** A production program that has said so much is at work. */
  private static final int WARM_LINES = 5;

  /** How long anything may take to get ready; a busy machine is slow. */
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Best-effort that comes first has so long to fill the node. */
  private static final long FILL_NANOS = TimeUnit.SECONDS.toNanos(8);

  /**
   * So long the interval that the end of the episode cut off may take: who has said nothing then,
   * does nothing. A busy machine is late to hear it.
   */
  private static final long LAST_LINE_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** Of what best-effort may hold: then it has filled the node. */
  private static final double FILLED = 0.95;

  /**
   * What all episodes use.
   *
   * @param top cgroup of the benchmark, below the mount points
   * @param tools programs
   * @param killer of the benchmark, not loaded between episodes
   * @param data production's file
   * @param read best-effort's, where it reads one
   * @param inMemory a directory in memory for best-effort
   */
  record Machine(
      String top,
      NativeTools tools,
      UaKiller killer,
      WorkingSetFile data,
      Optional<WorkingSetFile> read,
      Path inMemory) {
    Path written() {
      return data.path().resolveSibling(data.path().getFileName() + ".written");
    }
  }

  private final Machine machine;
  private final PlannedEpisode planned;
  private final Duration length;
  private final OptionalDouble staticLimitMegabytes;
  private final Samples samples = new Samples();
  private final InterferenceNode node;
  private final Optional<InterferenceNode> apart;
  private Optional<LimitAgent> agent = Optional.empty();
  private Optional<NodeContainer> production = Optional.empty();
  private Optional<BestEffortSide> bestEffort = Optional.empty();

  private EpisodeRun(
      Machine machine,
      PlannedEpisode planned,
      Duration length,
      OptionalDouble staticLimitMegabytes,
      InterferenceNode node,
      Optional<InterferenceNode> apart) {
    this.machine = machine;
    this.planned = planned;
    this.length = length;
    this.staticLimitMegabytes = staticLimitMegabytes;
    this.node = node;
    this.apart = apart;
  }

  /**
   * Runs it.
   *
   * @param length of what is measured
   * @param staticLimitMegabytes best-effort's in that mode
   * @throws IOException if it cannot be measured; the message says why
   */
  static Episode run(
      Machine machine, PlannedEpisode planned, Duration length, OptionalDouble staticLimitMegabytes)
      throws IOException, InterruptedException {
    machine.data().forget();
    if (machine.read().isPresent()) {
      machine.read().get().forget();
    }
    Optional<CpuSplit> cpus = cpus(planned);
    boolean two = planned.mode() == InterferenceMode.NO_CONTEST;
    try (InterferenceNode node = InterferenceNode.open(machine.top() + "/node", cpus);
        InterferenceNode apart =
            two ? InterferenceNode.open(machine.top() + "/apart", cpus) : null) {
      EpisodeRun run =
          new EpisodeRun(
              machine, planned, length, staticLimitMegabytes, node, Optional.ofNullable(apart));
      try {
        return run.run();
      } finally {
        run.end();
      }
    }
  }

  private static Optional<CpuSplit> cpus(PlannedEpisode planned) {
    int last = Runtime.getRuntime().availableProcessors() - 1;
    return planned.hasOwnProcessors() && last > 0
        ? Optional.of(new CpuSplit("0", "1-" + last))
        : Optional.empty();
  }

  private Episode run() throws IOException, InterruptedException {
    if (planned.mode().hasKiller()) {
      machine.killer().load();
      machine.killer().startHelper();
      machine
          .killer()
          .run(
              "domain",
              "add",
              node.directory().toString(),
              "--killable-below",
              node.directory(ContainerClass.BEST_EFFORT).toString());
    }
    if (!planned.cold()) {
      startProduction();
      await("production is not warm", this::isWarm);
    }
    if (planned.mode().hasLimit()) {
      agent = Optional.of(new LimitAgent(node, machine.top() + "/node", machine.tools()));
      production.ifPresent(this::reserve);
    }
    prepareBestEffort();
    if (planned.cold() && bestEffort.isPresent()) {
      bestEffort.get().start();
      fill();
    }
    long from = System.nanoTime();
    long workBefore = bestEffort.map(BestEffortSide::work).orElse(0L);
    if (planned.cold()) {
      from = startProduction();
    } else if (bestEffort.isPresent()) {
      bestEffort.get().start();
    }
    long to = from + length.toNanos();
    while (System.nanoTime() - to < 0) {
      look();
      samples.add(node, apart.orElse(node));
      TimeUnit.MILLISECONDS.sleep(SAMPLE_MILLIS);
    }
    boolean killed = !production.orElseThrow().process().isAlive();
    double work =
        (bestEffort.map(BestEffortSide::work).orElse(0L) - workBefore)
            / ((System.nanoTime() - from) / 1e9);
    awaitLastLine(to);
    return episode(from, to, work, killed);
  }

  private void awaitLastLine(long to) throws InterruptedException {
    NodeContainer container = production.orElseThrow();
    long end = to + LAST_LINE_NANOS;
    while (container.process().isAlive()
        && System.nanoTime() - end < 0
        && !container.progress().isHeardAfter(to)) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private Episode episode(long from, long to, double work, boolean killed)
      throws IOException, InterruptedException {
    if (agent.isPresent() && agent.get().trouble().isPresent()) {
      throw new IOException("the memory limit does not work: " + agent.get().trouble().get());
    }
    ProgressLines progress = production.orElseThrow().progress();
    List<Mark> marks = new ArrayList<>();
    if (planned.cold()) {
      marks.add(new Mark(from, 0, 0));
    }
    marks.addAll(progress.marks());
    int charon = agent.map(LimitAgent::kills).orElse(0);
    if (planned.mode().hasKiller()) {
      charon += machine.killer().status().path("domains").path(0).path("killCount").asInt();
    }
    return new Episode(
        planned.key(),
        length.toMillis() / 1e3,
        SpeedSeries.between(marks, from, to, cpus(planned).isEmpty()),
        progress.latencies(from, to),
        samples.memory(agent.map(LimitAgent::reserveMegabytes).orElse(0.0)),
        work,
        new Episode.Kills(charon, bestEffort.map(BestEffortSide::oomKills).orElse(0L).intValue()),
        killed);
  }

  private long startProduction() throws IOException, InterruptedException {
    long from = System.nanoTime();
    NodeContainer container =
        node.start(
            ContainerClass.PRODUCTION,
            false,
            planned.production().command(machine.tools(), machine.data().path(), !planned.cold()));
    production = Optional.of(container);
    reserve(container);
    if (planned.mode().hasKiller()) {
      register(container, "--entitled", Long.toString(reservedBytes()));
    }
    return from;
  }

  private void reserve(NodeContainer container) {
    agent.ifPresent(known -> known.reserve(container, reservedBytes()));
  }

  private static long reservedBytes() {
    return Production.RESERVED_MEGABYTES * InterferenceNode.MB;
  }

  private void register(NodeContainer container, String... words)
      throws IOException, InterruptedException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "register",
                container.cgroup().toString(),
                "--domain",
                node.directory().toString()));
    all.addAll(List.of(words));
    machine.killer().run(all.toArray(String[]::new));
  }

  private boolean isWarm() throws IOException {
    NodeContainer container = production.orElseThrow();
    if (!container.process().isAlive()) {
      throw new IOException(
          "production has ended with exit code "
              + container.process().exitValue()
              + " before best-effort started; if the programs are old, rebuild them: make -C "
              + "kernel-ua-killer/src/main/native");
    }
    return node.heldMegabytes(ContainerClass.PRODUCTION) >= planned.production().warmMegabytes()
        && container.progress().marks().size() >= WARM_LINES;
  }

  private void prepareBestEffort() throws IOException, InterruptedException {
    if (planned.bestEffort().isEmpty()) {
      return;
    }
    if (planned.mode() == InterferenceMode.STATIC_LIMIT) {
      node.limitBestEffort((long) (staticLimitMegabytes.orElseThrow() * InterferenceNode.MB));
    }
    BestEffortSide side =
        new BestEffortSide(
            apart.orElse(node),
            planned.bestEffort().get(),
            planned
                .bestEffort()
                .get()
                .command(
                    machine.tools(),
                    machine.read().map(WorkingSetFile::path),
                    machine.written(),
                    machine.inMemory().resolve("filled")),
            planned.mode().hasLimit(),
            () -> agent.map(LimitAgent::mayStart).orElse(true),
            this::started);
    bestEffort = Optional.of(side);
    if (agent.isPresent()) {
      agent.get().limit(side);
      await(
          "best-effort has no memory limit",
          () -> node.limitMegabytes() < InterferenceNode.MEGABYTES && agent.get().mayStart());
    }
  }

  private void started(NodeContainer container) throws IOException, InterruptedException {
    if (planned.mode().hasKiller()) {
      register(container, "--score", "500", "--age-ms", "0");
    }
  }

  private void look() throws IOException, InterruptedException {
    if (bestEffort.isPresent()) {
      bestEffort.get().look();
    }
  }

  private void fill() throws IOException, InterruptedException {
    InterferenceNode place = apart.orElse(node);
    long end = System.nanoTime() + FILL_NANOS;
    while (System.nanoTime() - end < 0
        && place.heldMegabytes(ContainerClass.BEST_EFFORT) < FILLED * place.limitMegabytes()) {
      look();
      TimeUnit.MILLISECONDS.sleep(SAMPLE_MILLIS);
    }
    look();
  }

  private void await(String failure, Callable<Boolean> condition)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TIMEOUT_NANOS;
    try {
      while (!condition.call()) {
        if (System.nanoTime() - end > 0) {
          throw new IOException(
              failure
                  + " after 60 s"
                  + agent.flatMap(LimitAgent::trouble).map(": "::concat).orElse(""));
        }
        TimeUnit.MILLISECONDS.sleep(20);
      }
    } catch (IOException | InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(failure, e);
    }
  }

  private void end() throws IOException, InterruptedException {
    try {
      if (bestEffort.isPresent()) {
        bestEffort.get().end();
      }
      if (production.isPresent()) {
        production.get().end();
      }
      if (agent.isPresent()) {
        agent.get().end();
      }
    } finally {
      machine.killer().unload();
      Files.deleteIfExists(machine.written());
      Files.deleteIfExists(machine.inMemory().resolve("filled"));
    }
  }
}
