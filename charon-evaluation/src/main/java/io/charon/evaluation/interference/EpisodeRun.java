/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.interference.SpeedSeries.Mark;
import io.charon.evaluation.killer.WorkingSetFile;
import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.Setting;
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

/** Runs one episode on nodes of its own, and removes everything that it made. */
final class EpisodeRun {
  private static final long SAMPLE_MILLIS = 100;

  /** Longest time that any part of the preparation may take; a busy machine is slow. */
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Time that best-effort has to fill the node before production starts cold. */
  private static final long FILL_NANOS = TimeUnit.SECONDS.toNanos(8);

  /** Share of its limit with which best-effort counts as having filled the node. */
  private static final double FILLED = 0.95;

  /**
   * The parts of the machine that all episodes use.
   *
   * @param setting what distinguishes this machine
   * @param top cgroup of the benchmark, below the mount points
   * @param tools native programs
   * @param killer kernel UA killer of the benchmark, not loaded between episodes
   * @param data file of production
   * @param read file of best-effort; empty if no kind of best-effort reads one
   * @param inMemory directory in memory for best-effort
   * @param postgres database of production; empty if no episode needs it
   */
  record Machine(
      Setting setting,
      String top,
      NativeTools tools,
      UaKiller killer,
      WorkingSetFile data,
      Optional<WorkingSetFile> read,
      Path inMemory,
      Optional<PostgresService> postgres) {
    Path written() {
      return data.path().resolveSibling(data.path().getFileName() + ".written");
    }

    Machine with(PostgresService service) {
      return new Machine(setting, top, tools, killer, data, read, inMemory, Optional.of(service));
    }

    ProductionSide production(InterferenceNode node, PlannedEpisode planned)
        throws IOException, InterruptedException {
      Production kind = planned.production();
      return kind.isProgram()
          ? new ProgramProduction(
              node, kind.command(tools, data.path(), !planned.cold()), kind.warmMegabytes())
          : postgres.orElseThrow().prepare(node, planned);
    }
  }

  private final Machine machine;
  private final PlannedEpisode planned;
  private final Duration length;
  private final OptionalDouble staticLimitMegabytes;
  private final Samples samples = new Samples();
  private final InterferenceNode node;
  private final Optional<InterferenceNode> apart;
  private final ProductionSide production;
  private Optional<LimitAgent> agent = Optional.empty();
  private Optional<InterferenceContainer> productionContainer = Optional.empty();
  private Optional<BestEffortSide> bestEffort = Optional.empty();

  private EpisodeRun(
      Machine machine,
      PlannedEpisode planned,
      Duration length,
      OptionalDouble staticLimitMegabytes,
      InterferenceNode node,
      Optional<InterferenceNode> apart)
      throws IOException, InterruptedException {
    this.machine = machine;
    this.planned = planned;
    this.length = length;
    this.staticLimitMegabytes = staticLimitMegabytes;
    this.node = node;
    this.apart = apart;
    this.production = machine.production(node, planned);
  }

  /**
   * Runs an episode.
   *
   * @param length time during which production is measured
   * @param staticLimitMegabytes memory limit of best-effort in mode {@code static-limit}, MB
   * @throws IOException if the episode cannot be measured; the message says why
   */
  static Episode run(
      Machine machine, PlannedEpisode planned, Duration length, OptionalDouble staticLimitMegabytes)
      throws IOException, InterruptedException {
    machine.data().dropPageCache();
    if (machine.read().isPresent()) {
      machine.read().get().dropPageCache();
    }
    Optional<CpuSplit> cpus = cpus(planned);
    boolean two = planned.mode() == InterferenceMode.NO_CONTEST;
    try (InterferenceNode node = InterferenceNode.open(machine.top() + "/node", cpus, false);
        InterferenceNode apart =
            two ? InterferenceNode.open(machine.top() + "/apart", cpus, false) : null) {
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
      await("production is not warm", production::isWarm);
    }
    if (planned.mode().hasLimit()) {
      agent = Optional.of(new LimitAgent(node, machine.top() + "/node", machine.tools()));
      productionContainer.ifPresent(this::reserve);
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
      sample();
      samples.add(node, apart.orElse(node));
      TimeUnit.MILLISECONDS.sleep(SAMPLE_MILLIS);
    }
    boolean killed = production.isKilled();
    double work =
        (bestEffort.map(BestEffortSide::work).orElse(0L) - workBefore)
            / ((System.nanoTime() - from) / 1e9);
    production.awaitInProgress(to);
    return episode(from, to, work, killed);
  }

  private Episode episode(long from, long to, double work, boolean killed)
      throws IOException, InterruptedException {
    if (agent.isPresent() && agent.get().trouble().isPresent()) {
      throw new IOException("the memory limit does not work: " + agent.get().trouble().get());
    }
    Episode.Memory memory = samples.memory(agent.map(LimitAgent::reserveMegabytes).orElse(0.0));
    Episode.Kills kills = kills(killed);
    if (bestEffort.isPresent()) {
      bestEffort.get().end();
    }
    ProductionSide.Progress progress = production.progress(from, to);
    List<Mark> marks = new ArrayList<>();
    if (planned.cold()) {
      marks.add(new Mark(from, 0, 0));
    }
    marks.addAll(progress.marks());
    return new Episode(
        planned.key(),
        machine.setting().text(),
        length.toMillis() / 1e3,
        SpeedSeries.between(marks, from, to, cpus(planned).isEmpty()),
        progress.latencies(),
        memory,
        work,
        kills);
  }

  private Episode.Kills kills(boolean production) throws IOException, InterruptedException {
    int charon = agent.map(LimitAgent::kills).orElse(0);
    if (planned.mode().hasKiller()) {
      charon += machine.killer().status().path("domains").path(0).path("killCount").asInt();
    }
    return new Episode.Kills(
        charon, bestEffort.map(BestEffortSide::oomKills).orElse(0L).intValue(), production);
  }

  private long startProduction() throws IOException, InterruptedException {
    long from = System.nanoTime();
    InterferenceContainer container = production.start();
    productionContainer = Optional.of(container);
    reserve(container);
    if (planned.mode().hasKiller()) {
      register(container, "--entitled", Long.toString(reservedBytes()));
    }
    return from;
  }

  private void reserve(InterferenceContainer container) {
    agent.ifPresent(known -> known.reserve(container, reservedBytes()));
  }

  private static long reservedBytes() {
    return Production.RESERVED_MEGABYTES * InterferenceNode.MB;
  }

  private void register(InterferenceContainer container, String... words)
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

  private void started(InterferenceContainer container) throws IOException, InterruptedException {
    if (planned.mode().hasKiller()) {
      register(container, "--score", "500", "--age-ms", "0");
    }
  }

  private void sample() throws IOException, InterruptedException {
    if (bestEffort.isPresent()) {
      bestEffort.get().sample();
    }
  }

  private void fill() throws IOException, InterruptedException {
    InterferenceNode place = apart.orElse(node);
    long end = System.nanoTime() + FILL_NANOS;
    while (System.nanoTime() - end < 0
        && place.heldMegabytes(ContainerClass.BEST_EFFORT) < FILLED * place.limitMegabytes()) {
      sample();
      TimeUnit.MILLISECONDS.sleep(SAMPLE_MILLIS);
    }
    sample();
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
      production.end();
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
