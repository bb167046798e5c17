/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.memorylimit.KillCandidates;
import io.charon.core.law.memorylimit.KillCandidates.KillCandidate;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Snapshot;
import io.charon.core.mechanism.WorkingSet;
import io.charon.evaluation.machine.NativeTools;
import io.charon.nodemanager.agent.MechanismList;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.NodeCgroupPath;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.RegulatorKeys;
import io.charon.nodemanager.config.SettingsException;
import io.charon.nodemanager.config.SettingsReader;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.mechanisms.memorylimit.MemoryBound;
import io.charon.nodemanager.mechanisms.memorylimit.MemoryLimitParts;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.sensor.ContainerMemorySensor;
import io.charon.nodemanager.sensor.ContainerMemorySensor.ContainerMemory;
import io.charon.nodemanager.sensor.MemoryHolding;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;

/**
 * The part of a NodeManager that moves the memory limit: the same mechanism, executor and helper
 * program with their defaults. It ticks once a second, and once more whenever memory is due.
 */
final class LimitAgent {
  private static final Path PROC = Path.of("/proc");
  private static final Duration HELPER_TIMEOUT = Duration.ofSeconds(2);

  /**
   * Memory that launches may use below which no container starts, bytes; the mechanism's smallest
   * limit.
   */
  private static final long MIN_TO_START = 32 * InterferenceNode.MB;

  /** Stands for a container that is about to start, so that the limit is set before it runs. */
  private static final KillCandidate STARTING =
      new KillCandidate("starting", WorkingSet.of(0), 0, true, false);

  private final DyingContainers dying = new DyingContainers(System::nanoTime, () -> {});
  private final AtomicInteger kills = new AtomicInteger();
  private final Map<String, Long> reserved = new ConcurrentHashMap<>();
  private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor();
  private final ContainerMemorySensor sensor;
  private final MemoryLimitParts parts;
  private final ActionExecutor executor;
  private final MechanismRunner runner;
  private volatile Optional<BestEffortSide> bestEffort = Optional.empty();
  private volatile OptionalLong mayCountOn = OptionalLong.empty();
  private volatile Optional<Exception> failure = Optional.empty();

  /**
   * Starts the agent.
   *
   * @param path path of the node's cgroup
   * @throws IOException if this machine does not allow it; the message says what is missing
   */
  LimitAgent(InterferenceNode node, String path, NativeTools tools) throws IOException {
    CharonSettings settings = settings(path, tools);
    Counter failures = new Counter();
    sensor = new ContainerMemorySensor(node.layout());
    executor =
        new ActionExecutor(
            dying,
            (mechanism, id, reason) -> kills.incrementAndGet(),
            ContainerControl.of(
                Optional.empty(), id -> bestEffort.ifPresent(side -> side.kill(id))),
            Audit.direct(Optional.empty(), Clock.systemUTC(), failures),
            failures,
            System::nanoTime);
    parts =
        MemoryLimitParts.of(
            settings,
            node.layout(),
            true,
            PROC,
            new Helper(List.of(tools.killer().toString()), HELPER_TIMEOUT),
            () -> Map.copyOf(reserved),
            this::tickSoon);
    RegulatorMode mode = settings.regulators().memoryLimit().mode();
    runner =
        new MechanismRunner(List.of(new MechanismRunner.Entry(parts.mechanism(), mode)), executor);
    executor.use(
        Map.of(
            Limit.MEMORY,
            new MemoryBound(Optional.of(bytes -> mayCountOn = bytes)),
            Limit.MEMORY_USE,
            parts.actuator()));
    runner.start();
    var unused = ticker.scheduleWithFixedDelay(this::tick, 0, 1, TimeUnit.SECONDS);
  }

  private static CharonSettings settings(String path, NativeTools tools) throws IOException {
    Configuration configuration = new Configuration(false);
    configuration.set("yarn.nodemanager.opportunistic-containers-max-queue-length", "5");
    configuration.set(SettingsReader.MODE, "enforce");
    configuration.set(NodeCgroupPath.KEY, path);
    configuration.set(SettingsReader.MEMORY_BOUNDARY, "cgroup");
    configuration.set(RegulatorKeys.HELPER, tools.killer().toString());
    try {
      return SettingsReader.read(configuration, MechanismList.keys());
    } catch (SettingsException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Records the reservation of a production container that was started. */
  void reserve(InterferenceContainer production, long bytes) {
    reserved.put(production.id(), bytes);
  }

  /** Limits a best-effort side from now on; its container may be killed for memory. */
  void limit(BestEffortSide side) {
    bestEffort = Optional.of(side);
    tickSoon();
  }

  /** Returns whether the limit allows a best-effort container to start now. */
  boolean mayStart() {
    return mayCountOn.orElse(0) >= MIN_TO_START;
  }

  /** Returns the number of containers that were killed. */
  int kills() {
    return kills.get();
  }

  /** Returns the memory that the limit keeps free now, MB. */
  double reserveMegabytes() {
    return runner.states().get(0).report().value("reserve").orElse(0) / InterferenceNode.MB;
  }

  /** Returns the reason why the limit does not work; empty if it works. */
  Optional<String> trouble() {
    return failure
        .map(Exception::toString)
        .or(() -> runner.states().get(0).unavailable())
        .or(() -> runner.states().get(0).report().note());
  }

  private void tickSoon() {
    try {
      ticker.execute(this::tick);
    } catch (RejectedExecutionException e) {
      // The agent is being ended.
    }
  }

  private void tick() {
    try {
      long nanos = System.nanoTime();
      Optional<MemoryHolding> holding = parts.read(nanos);
      if (holding.isPresent()) {
        runner.tick(new Snapshot(nanos, holding.get(), candidates(nanos)));
      }
      parts.sweep();
    } catch (IOException | RuntimeException e) {
      failure = Optional.of(e);
    }
  }

  private KillCandidates candidates(long nanos) throws IOException {
    if (bestEffort.isEmpty()) {
      return new KillCandidates(List.of());
    }
    Optional<InterferenceContainer> running = bestEffort.get().running();
    if (running.isEmpty()) {
      return new KillCandidates(List.of(STARTING));
    }
    List<KillCandidate> candidates = new ArrayList<>();
    for (ContainerMemory held : sensor.read().values()) {
      if (held.containerClass() == ContainerClass.BEST_EFFORT
          && held.containerId().equals(running.get().id())) {
        // The container may have started after this tick began.
        long age = Math.max(0, nanos - running.get().startNanos());
        candidates.add(
            new KillCandidate(
                held.containerId(),
                held.workingSet(),
                TimeUnit.NANOSECONDS.toMillis(age),
                true,
                dying.contains(held.containerId())));
      }
    }
    return new KillCandidates(candidates);
  }

  /** Ends the agent; the limit stays while a best-effort process lives. */
  void end() throws IOException, InterruptedException {
    ticker.shutdown();
    boolean unused = ticker.awaitTermination(10, TimeUnit.SECONDS);
    executor.close();
    parts.close();
  }
}
