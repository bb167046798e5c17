/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.freeze;

import io.charon.core.freeze.FreezeDecision;
import io.charon.core.freeze.FreezeRule;
import io.charon.core.freeze.FreezeSettings;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ActionExecutor.Outcome;
import io.charon.nodemanager.execution.LaunchControl;
import io.charon.nodemanager.report.audit.AuditRecord;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import io.charon.nodemanager.sensor.NodeMemorySensor;
import io.charon.nodemanager.sensor.NodeWatch;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Watches the node's memory and carries out the decisions of {@link FreezeRule}. It has its own
 * thread; reclaim, which can take seconds, runs in a separate lane, so that neither the tick nor a
 * killer waits for it. While containers are frozen no container is launched, because the frozen
 * ones need the memory that becomes free.
 */
public final class BestEffortFreeze implements AutoCloseable {
  /** Interval between readings of the node's memory while it may become short (our choice). */
  static final Duration SAMPLE_INTERVAL = Duration.ofMillis(50);

  /** Interval while it cannot become short within it: reading it costs more than deciding. */
  static final Duration AMPLE_INTERVAL = Duration.ofMillis(250);

  /**
   * Memory that one processor takes within {@link #AMPLE_INTERVAL} if it does nothing else: Linux
   * clears a few GiB of huge pages per second (our choice).
   */
  static final long AMPLE_BYTES_PER_PROCESSOR = 1L << 30;

  /** How long {@link #close} waits for a sample that is running (our choice). */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  /** The name of this mechanism in the audit. */
  static final String NAME = "freeze";

  /** Why a container is thawed that must not stay frozen. */
  static final String ENDING_OR_PRODUCTION = "it is ending, or has become production";

  private static final String THAW = "thaw";

  private final FreezeSettings settings;
  private final FreezeRule rule;
  private final NodeMemorySensor sensor;
  private final LaunchControl launches;
  private final ActionExecutor executor;
  private final Function<String, Phase> phases;
  private final NodeMetrics metrics;
  private final LongSupplier nanoClock;
  private final FrozenContainers frozen = new FrozenContainers();
  private final NodeWatch watch = new NodeWatch("charon-freeze", this::sample, this::interval);
  private final long ampleBytes =
      AMPLE_BYTES_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
  private volatile boolean ample;
  private volatile boolean closed;

  /**
   * Creates a freeze that does not watch yet.
   *
   * @param settings when to freeze, and for how long
   * @param sensor the node's memory
   * @param launches knows the running containers
   * @param executor freezes, thaws, reclaims and kills
   * @param phases phase of a container; ENDING also if it was killed
   * @param metrics counts the actions
   * @param nanoClock monotonic nanoseconds
   */
  public BestEffortFreeze(
      FreezeSettings settings,
      NodeMemorySensor sensor,
      LaunchControl launches,
      ActionExecutor executor,
      Function<String, Phase> phases,
      NodeMetrics metrics,
      LongSupplier nanoClock) {
    this.settings = settings;
    this.rule = new FreezeRule(settings);
    this.sensor = sensor;
    this.launches = launches;
    this.executor = executor;
    this.phases = phases;
    this.metrics = metrics;
    this.nanoClock = nanoClock;
  }

  /** Starts watching the node's memory. */
  public void start() {
    watch.start();
  }

  /** Returns the time until the next sample; visible for tests. */
  Duration interval() {
    return ample ? AMPLE_INTERVAL : SAMPLE_INTERVAL;
  }

  /** Samples the node's memory once and acts on it; visible for tests. */
  void sample() throws IOException {
    ample = false;
    List<String> running = launches.runningOldestFirst();
    if (running.isEmpty()) {
      released(running);
      return;
    }
    if (isQuiet()) {
      released(running);
      return;
    }
    NodeMemory memory = sensor.read();
    Optional<FreezeDecision> kill = change(memory).filter(this::isKill);
    if (kill.isPresent()) {
      // A kill forks a process, so it runs outside the lock.
      kill(kill.get(), running, memory);
    }
  }

  /**
   * Returns whether the rule decides nothing whichever containers run, so that their phases need
   * not be asked for: the common case.
   */
  private boolean isQuiet() throws IOException {
    if (!noneFrozen()) {
      return false;
    }
    ample = sensor.availableAtLeast(capacity -> rule.thresholdBytes(capacity) + ampleBytes);
    return ample || sensor.availableAtLeast(rule::thresholdBytes);
  }

  private synchronized boolean noneFrozen() {
    return frozen.isEmpty();
  }

  private boolean isKill(FreezeDecision decision) {
    return decision.kind() == FreezeDecision.Kind.KILL;
  }

  private synchronized Optional<FreezeDecision> change(NodeMemory memory) {
    // Listed under the lock of release(), because a container that was promoted meanwhile has been
    // released already and would stay frozen as production.
    List<String> running = launches.runningOldestFirst();
    released(running);
    long now = nanoClock.getAsLong();
    List<String> ours = running.stream().filter(containerId -> isOurs(containerId, now)).toList();
    Optional<FreezeDecision> decision =
        closed
            ? Optional.empty()
            : rule.decide(
                new FreezeRule.View(now, memory, ours, frozen.frozen(), frozen.changedNanos()));
    decision.ifPresent(
        wanted -> {
          if (wanted.kind() != FreezeDecision.Kind.RECLAIM) {
            frozen.changed(now);
          }
          switch (wanted.kind()) {
            case FREEZE -> freeze(wanted, memory, now);
            case THAW -> thaw(wanted, memory);
            case RECLAIM -> reclaim(wanted, memory);
            case KILL -> frozen.killed(wanted.containerId());
          }
        });
    holdLaunches();
    return decision;
  }

  private boolean isOurs(String containerId, long now) {
    return !frozen.isKilled(containerId)
        && !frozen.hasFailed(containerId, now)
        && phases.apply(containerId) == Phase.RUNNING;
  }

  /**
   * Forgets containers that YARN paused or that have ended, and thaws those that are ending: a v1
   * freezer holds back their signals.
   */
  private synchronized void released(List<String> running) {
    frozen.retain(running);
    for (String containerId : frozen.frozen().keySet()) {
      Phase phase = phases.apply(containerId);
      if (phase == Phase.PAUSED) {
        frozen.forget(containerId);
      } else if (phase == Phase.ENDING) {
        thaw(containerId, ENDING_OR_PRODUCTION);
      }
    }
    holdLaunches();
  }

  private void holdLaunches() {
    var unused =
        launches.hold(
            LaunchVerdict.Reason.FROZEN,
            settings.mode() == RegulatorMode.ENFORCE && !frozen.isEmpty());
  }

  private void freeze(FreezeDecision decision, NodeMemory memory, long now) {
    if (perform(new Action.Freeze(decision.containerId(), basis(decision, memory)), decision)
        .done()) {
      frozen.froze(decision, now);
    } else {
      frozen.failed(decision.containerId(), now);
    }
  }

  private void thaw(FreezeDecision decision, NodeMemory memory) {
    if (perform(new Action.Thaw(decision.containerId(), basis(decision, memory)), decision)
        .done()) {
      frozen.forget(decision.containerId());
    }
  }

  private void reclaim(FreezeDecision decision, NodeMemory memory) {
    String containerId = decision.containerId();
    frozen.asked(containerId);
    executor.reclaim(
        NAME,
        settings.mode(),
        new Action.Reclaim(containerId, decision.bytes(), basis(decision, memory)),
        () -> isFrozen(containerId),
        bytes -> {
          count(decision);
          reclaimed(containerId, bytes);
        });
  }

  private void kill(FreezeDecision decision, List<String> running, NodeMemory memory) {
    Action.Kill kill = new Action.Kill(decision.containerId(), running, basis(decision, memory));
    ended(decision.containerId(), perform(kill, decision).kind());
  }

  /**
   * Handles the outcome of a kill. While another container is dying, the kill is refused; the
   * container stays frozen, because memory is still short, and the rule decides again.
   */
  private synchronized void ended(String containerId, Outcome.Kind kill) {
    if (kill == Outcome.Kind.DONE) {
      frozen.forget(containerId);
    } else {
      frozen.spare(containerId);
    }
    if (kill == Outcome.Kind.FAILED) {
      thaw(containerId, "it could not be killed");
    }
    holdLaunches();
  }

  private Outcome perform(Action action, FreezeDecision decision) {
    Outcome outcome = executor.perform(NAME, settings.mode(), action);
    if (outcome.done()) {
      count(decision);
    }
    return outcome;
  }

  private void count(FreezeDecision decision) {
    metrics.freezes(AuditRecord.lower(decision.kind())).inc();
  }

  private Basis basis(FreezeDecision decision, NodeMemory memory) {
    return new Basis(
        "the node",
        Map.of(
            "available", (double) memory.availableBytes(),
            "capacity", (double) memory.capacityBytes()),
        rule.thresholdBytes(memory.capacityBytes()),
        AuditRecord.lower(decision.kind()),
        decision.reason());
  }

  /** Returns whether a container is frozen, or in mode observe would be. */
  synchronized boolean isFrozen(String containerId) {
    return frozen.isFrozen(containerId);
  }

  private synchronized void reclaimed(String containerId, long bytes) {
    frozen.reclaimed(containerId, bytes);
  }

  private void thaw(String containerId, String reason) {
    Basis basis = new Basis("the node", Map.of(), 0, THAW, reason);
    if (executor.perform(NAME, settings.mode(), new Action.Thaw(containerId, basis)).done()) {
      frozen.forget(containerId);
    }
  }

  /**
   * Thaws a container that was promoted to production or is being killed: it must not stay frozen.
   */
  public synchronized void release(String containerId) {
    if (frozen.isFrozen(containerId)) {
      thaw(containerId, ENDING_OR_PRODUCTION);
      holdLaunches();
    }
  }

  /**
   * Thaws a container that an earlier NodeManager may have left frozen, unless this one holds it:
   * it would allocate again, and would not be frozen again because it counts as frozen.
   *
   * @param thaw thaws the container; nothing is frozen meanwhile
   */
  synchronized void thawUnlessHeld(String containerId, Runnable thaw) {
    if (settings.mode() != RegulatorMode.ENFORCE || !frozen.isFrozen(containerId)) {
      thaw.run();
    }
  }

  /** Returns the containers that are frozen, or in mode observe would be, by container id. */
  public synchronized Map<String, FreezeState.Frozen> frozen() {
    long now = nanoClock.getAsLong();
    Map<String, FreezeState.Frozen> shown = new TreeMap<>();
    frozen
        .frozen()
        .forEach(
            (id, container) ->
                shown.put(
                    id,
                    new FreezeState.Frozen(
                        now - container.sinceNanos(),
                        container.reclaimedBytes(),
                        frozen.reason(id))));
    return shown;
  }

  /** Stops watching and thaws all containers that are frozen. */
  @Override
  public void close() {
    closed = true;
    watch.close();
    watch.awaitEnd(CLOSE_TIMEOUT);
    synchronized (this) {
      List.copyOf(frozen.frozen().keySet())
          .forEach(
              containerId -> thaw(containerId, "the node is stopping and could not thaw it later"));
      holdLaunches();
    }
  }
}
