/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.freeze;

import io.charon.core.freeze.PauseDecision;
import io.charon.core.freeze.PauseRule;
import io.charon.core.freeze.PauseSettings;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Basis;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.report.audit.Audit;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the node's memory and carries out what {@link PauseRule} decides. It has a thread of its
 * own, and another one for reclaim, which can take seconds: neither the tick nor a killer waits for
 * it. Frozen containers hold back launches, because they need the memory that becomes free.
 */
public final class BestEffortPause implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BestEffortPause.class);

  /** How often the node's memory is read (ours: a fifth of a percent of one core). */
  private static final Duration LOOKS = Duration.ofMillis(50);

  /** How long the end of the node waits for a look that runs (ours). */
  private static final Duration LAST_LOOK = Duration.ofSeconds(3);

  private static final long MEBIBYTE = 1024 * 1024;

  private final PauseSettings settings;
  private final PauseRule rule;
  private final NodeMemorySensor sensor;
  private final LaunchGate gate;
  private final PauseActions actions;
  private final Function<String, Phase> phases;
  private final Audit audit;
  private final NodeMetrics metrics;
  private final LongSupplier nanoClock;
  private final PausedContainers paused = new PausedContainers();
  private final ExecutorService reclaimer =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "charon-reclaim");
            thread.setDaemon(true);
            return thread;
          });
  private final NodeWatch watch = new NodeWatch("charon-pause", this::look, () -> LOOKS);
  private volatile boolean closed;

  /**
   * The same with its parts.
   *
   * @param settings when, and for how long
   * @param sensor the node's memory
   * @param gate who runs
   * @param actions freezes and thaws
   * @param phases what is known of a container
   * @param audit takes a line of everything
   * @param metrics counts it
   * @param nanoClock monotonic nanoseconds
   */
  BestEffortPause(
      PauseSettings settings,
      NodeMemorySensor sensor,
      LaunchGate gate,
      PauseActions actions,
      Function<String, Phase> phases,
      Audit audit,
      NodeMetrics metrics,
      LongSupplier nanoClock) {
    this.settings = settings;
    this.rule = new PauseRule(settings);
    this.sensor = sensor;
    this.gate = gate;
    this.actions = settings.mode() == RegulatorMode.ENFORCE ? actions : PauseActions.none();
    this.phases = phases;
    this.audit = audit;
    this.metrics = metrics;
    this.nanoClock = nanoClock;
  }

  /**
   * A pause that does not watch yet.
   *
   * @param settings when, and for how long
   * @param sensor the node's memory
   * @param gate who runs
   * @param actions freezes and thaws
   * @param phases what is known of a container; ENDING also of one that somebody killed
   * @param audit takes a line of everything
   * @param metrics counts it
   */
  public static BestEffortPause of(
      PauseSettings settings,
      NodeMemorySensor sensor,
      LaunchGate gate,
      PauseActions actions,
      Function<String, Phase> phases,
      Audit audit,
      NodeMetrics metrics) {
    return new BestEffortPause(
        settings, sensor, gate, actions, phases, audit, metrics, System::nanoTime);
  }

  /** Starts watching. */
  public void start() {
    watch.start();
  }

  /** One look at the node; visible for tests. */
  void look() throws IOException {
    List<String> running = gate.runningOldestFirst();
    if (running.isEmpty()) {
      released(running);
      return;
    }
    NodeMemory memory = sensor.read();
    Optional<PauseDecision> kill = change(running, memory).filter(this::isKill);
    if (kill.isPresent()) {
      // Forks a process, so that nobody must wait for the lock meanwhile.
      kill(kill.get(), memory);
    }
  }

  private boolean isKill(PauseDecision decision) {
    return decision.kind() == PauseDecision.Kind.KILL;
  }

  private synchronized Optional<PauseDecision> change(List<String> running, NodeMemory memory) {
    released(running);
    long now = nanoClock.getAsLong();
    List<String> ours = running.stream().filter(this::isOurs).toList();
    Optional<PauseDecision> decision =
        closed
            ? Optional.empty()
            : rule.decide(
                new PauseRule.View(now, memory, ours, paused.frozen(), paused.changedNanos()));
    decision.ifPresent(
        wanted -> {
          if (wanted.kind() != PauseDecision.Kind.RECLAIM) {
            paused.changed(now);
          }
          switch (wanted.kind()) {
            case FREEZE -> freeze(wanted, memory, now);
            case RESUME -> resume(wanted, memory);
            case RECLAIM -> reclaim(wanted, memory);
            case KILL -> paused.killed(wanted.containerId());
          }
        });
    holdLaunches();
    return decision;
  }

  private boolean isOurs(String containerId) {
    return !paused.isKilled(containerId) && phases.apply(containerId) == Phase.RUNNING;
  }

  /** Lets go whom YARN paused, who ended, and who is about to: a v1 freezer holds signals back. */
  private synchronized void released(List<String> running) {
    paused.retain(running);
    for (String containerId : paused.frozen().keySet()) {
      Phase phase = phases.apply(containerId);
      if (phase == Phase.PAUSED) {
        paused.forget(containerId);
      } else if (phase == Phase.ENDING) {
        thaw(containerId);
      }
    }
    holdLaunches();
  }

  private void holdLaunches() {
    gate.hold(settings.mode() == RegulatorMode.ENFORCE && !paused.isEmpty());
  }

  private void freeze(PauseDecision decision, NodeMemory memory, long now) {
    String result = "applied: frozen";
    try {
      actions.freeze(decision.containerId());
      paused.froze(decision, now);
    } catch (IOException e) {
      result = "failed: " + e;
    }
    write(decision, memory, result);
  }

  private void resume(PauseDecision decision, NodeMemory memory) {
    String result = "applied: resumed";
    try {
      actions.thaw(decision.containerId());
      paused.forget(decision.containerId());
    } catch (IOException e) {
      result = "failed: " + e;
    }
    write(decision, memory, result);
  }

  private void reclaim(PauseDecision decision, NodeMemory memory) {
    String containerId = decision.containerId();
    paused.asked(containerId);
    try {
      reclaimer.execute(
          () -> {
            String result;
            try {
              long bytes =
                  actions.reclaim(containerId, decision.bytes(), () -> isFrozen(containerId));
              reclaimed(containerId, bytes);
              result = "applied: %d MiB went to swap".formatted(bytes / MEBIBYTE);
            } catch (IOException e) {
              result = "failed: " + e;
            }
            write(decision, memory, result);
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("the node ends", e);
    }
  }

  private void kill(PauseDecision decision, NodeMemory memory) {
    String result = "applied: killed";
    try {
      actions.kill(decision.containerId(), decision.reason());
    } catch (IOException e) {
      result = "failed: " + e;
      spare(decision.containerId());
    }
    write(decision, memory, result);
  }

  /** It lives on, and may be frozen anew. */
  private synchronized void spare(String containerId) {
    thaw(containerId);
    paused.spare(containerId);
  }

  private void write(PauseDecision decision, NodeMemory memory, String result) {
    String verb = AuditRecord.lower(decision.kind());
    if (result.startsWith("failed")) {
      metrics.toleratedFailures().inc();
    } else {
      metrics.pauses(verb).inc();
    }
    String shown = settings.mode() == RegulatorMode.ENFORCE ? result : "not applied: observe";
    LOG.info("pause: {} {}: {} ({})", verb, decision.containerId(), shown, decision.reason());
    audit.write(
        "pause",
        settings.mode(),
        new Basis(
            "the node",
            Map.of(
                "available", (double) memory.availableBytes(),
                "capacity", (double) memory.capacityBytes()),
            rule.thresholdBytes(memory.capacityBytes()),
            verb,
            decision.reason()),
        verb,
        decision.containerId(),
        shown);
  }

  private synchronized boolean isFrozen(String containerId) {
    return paused.isFrozen(containerId);
  }

  private synchronized void reclaimed(String containerId, long bytes) {
    paused.reclaimed(containerId, bytes);
  }

  private boolean thaw(String containerId) {
    try {
      actions.thaw(containerId);
      return paused.forget(containerId);
    } catch (IOException e) {
      LOG.warn("{} stays frozen", containerId, e);
      return false;
    }
  }

  /** A container was promoted to production, or is being killed: it must not be frozen. */
  public synchronized void release(String containerId) {
    if (paused.isFrozen(containerId)) {
      thaw(containerId);
      holdLaunches();
    }
  }

  /** Who is frozen, or in mode observe would be. */
  public synchronized Map<String, PauseState.Paused> paused() {
    long now = nanoClock.getAsLong();
    Map<String, PauseState.Paused> shown = new TreeMap<>();
    paused
        .frozen()
        .forEach(
            (id, container) ->
                shown.put(
                    id,
                    new PauseState.Paused(
                        now - container.sinceNanos(),
                        container.reclaimedBytes(),
                        paused.reason(id))));
    return shown;
  }

  /** Lets everybody go on. */
  @Override
  public void close() {
    closed = true;
    watch.close();
    reclaimer.shutdownNow();
    watch.awaitEnd(LAST_LOOK);
    synchronized (this) {
      List.copyOf(paused.frozen().keySet()).forEach(this::thaw);
      holdLaunches();
    }
  }
}
