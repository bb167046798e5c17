/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.freeze;

import io.charon.core.freeze.FreezeRule;
import io.charon.core.freeze.FreezeSettings;
import io.charon.core.law.RegulatorMode;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerFreezer;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.Mode;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerListener;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.LaunchControl;
import io.charon.nodemanager.report.metrics.NodeMetric;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import io.charon.nodemanager.sensor.NodeMemorySensor;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Freezes and thaws containers on a node: for Charon's freeze before a kill, if the operator
 * enabled it, and for YARN's own pauses in any mode. A node in mode observe only reports what it
 * would freeze. Containers that Charon froze are thawed when this object is closed, and every
 * frozen container is thawed before it ends.
 */
public final class NodeFreeze implements ContainerListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeFreeze.class);

  private final NodeMemorySensor sensor;
  private final Supplier<Optional<? extends LaunchControl>> launches;
  private final Function<String, Phase> phases;
  private final ActionExecutor executor;
  private final NodeMetrics metrics;
  private final LongSupplier nanoClock;
  private final Optional<ContainerFreezer> freezer;
  private final Optional<OrphanedFreezes> orphans;
  private volatile CurrentParts now;

  /** The parts that follow from the current settings. */
  private record CurrentParts(
      RegulatorMode mode,
      FreezeRule rule,
      Optional<String> unavailable,
      Optional<BestEffortFreeze> freeze) {}

  /**
   * Assembles the parts; nothing runs before {@link #start}.
   *
   * @param settings the operator's settings
   * @param layout the containers' cgroups; empty if containers have none
   * @param sensor the node's memory
   * @param launches knows the running containers, also if it only observes; empty in mode off
   * @param phases phase of a container; PAUSED also if a stop keeps it frozen
   * @param executor freezes, thaws, reclaims and kills
   * @param metrics counts the actions
   * @param nanoClock monotonic nanoseconds
   */
  public NodeFreeze(
      CharonSettings settings,
      Optional<CgroupLayout> layout,
      NodeMemorySensor sensor,
      Supplier<Optional<? extends LaunchControl>> launches,
      Function<String, Phase> phases,
      ActionExecutor executor,
      NodeMetrics metrics,
      LongSupplier nanoClock) {
    this.sensor = sensor;
    this.launches = launches;
    this.phases = phases;
    this.executor = executor;
    this.metrics = metrics;
    this.nanoClock = nanoClock;
    this.freezer = layout.map(ContainerFreezer::new);
    this.orphans =
        freezer.map(
            cold ->
                new OrphanedFreezes(
                    cold, phases, this::thawUnlessHeld, executor, metrics.toleratedFailures()));
    this.now = inForce(settings);
  }

  private CurrentParts inForce(CharonSettings settings) {
    boolean observes =
        settings.mode() == Mode.OBSERVE && settings.freeze().mode() != RegulatorMode.OFF;
    FreezeSettings wanted = observes ? settings.freeze().observing() : settings.freeze();
    Optional<String> unavailable = unavailable(settings.mode());
    return new CurrentParts(
        wanted.mode(),
        new FreezeRule(wanted),
        unavailable,
        wanted.mode() == RegulatorMode.OFF || unavailable.isPresent()
            ? Optional.empty()
            : launches
                .get()
                .map(
                    control ->
                        new BestEffortFreeze(
                            wanted, sensor, control, executor, phases, metrics, nanoClock)));
  }

  private Optional<String> unavailable(Mode mode) {
    Optional<String> none = Optional.of(CgroupLayout.NONE);
    return switch (mode) {
      case ENFORCE -> freezer.map(ContainerFreezer::unavailable).orElse(none);
      case OBSERVE -> freezer.map(ContainerFreezer::impossible).orElse(none);
      case OFF, THRESHOLD ->
          Optional.of("freezing needs mode enforce: set yarn.nodemanager.charon.mode to enforce");
    };
  }

  public void start() {
    if (now.mode() != RegulatorMode.OFF) {
      now.unavailable().ifPresent(reason -> LOG.warn("containers cannot be frozen: {}", reason));
      metrics.gauge(NodeMetric.FROZEN, () -> state().frozen().size());
    }
    orphans.ifPresent(OrphanedFreezes::start);
    now.freeze().ifPresent(BestEffortFreeze::start);
  }

  /** Applies new settings. The caller must have closed the parts of the old settings. */
  public void change(CharonSettings settings) {
    now = inForce(settings);
    start();
  }

  /** Returns whether containers may be frozen because memory is short. */
  public boolean acts() {
    return now.mode() == RegulatorMode.ENFORCE && now.freeze().isPresent();
  }

  /** Returns whether a container is frozen: by Charon, because memory is short, or by a pause. */
  public boolean isFrozen(String containerId) {
    return phases.apply(containerId) == Phase.PAUSED
        || (acts() && now.freeze().map(ours -> ours.isFrozen(containerId)).orElse(false));
  }

  /** Returns the available memory, in bytes, from which frozen containers are thawed. */
  public long thawBytes(long capacityBytes) {
    return now.rule().thawBytes(capacityBytes);
  }

  public void tick() {
    orphans.ifPresent(OrphanedFreezes::tick);
  }

  /** Registers a reacquired container, which may have been left frozen. */
  @Override
  public void reacquired(ContainerInfo container, boolean placed) {
    if (placed) {
      orphans.ifPresent(found -> found.recovered(container.containerId()));
    }
  }

  @Override
  public void changed(ContainerInfo container, boolean placed) {
    release(container.containerId(), placed);
  }

  @Override
  public void signalled(String containerId, boolean placed) {
    release(containerId, placed);
  }

  @Override
  public void stopped(String containerId, boolean placed) {
    release(containerId, placed);
  }

  private void thawUnlessHeld(String containerId, Runnable thaw) {
    now.freeze().ifPresentOrElse(ours -> ours.thawUnlessHeld(containerId, thaw), thaw);
  }

  /**
   * Thaws a container that became production, was sent a signal, or has ended, also if YARN or an
   * earlier NodeManager froze it.
   */
  private void release(String containerId, boolean placed) {
    now.freeze().ifPresent(ours -> ours.release(containerId));
    if (placed) {
      orphans.ifPresent(found -> found.thaw(containerId, BestEffortFreeze.ENDING_OR_PRODUCTION));
    }
  }

  /**
   * Freezes a container that YARN pauses.
   *
   * @throws IOException if it cannot be frozen
   */
  public void pausedByYarn(String containerId) throws IOException {
    freezer.orElseThrow(() -> new IOException(CgroupLayout.NONE)).freeze(containerId);
  }

  /**
   * Thaws a container that YARN paused earlier and now resumes.
   *
   * @throws IOException if it cannot be thawed
   */
  public void resumedByYarn(String containerId) throws IOException {
    freezer.orElseThrow(() -> new IOException(CgroupLayout.NONE)).thaw(containerId);
  }

  /** Returns the state for the status pages. */
  public FreezeState state() {
    CurrentParts shown = now;
    return new FreezeState(
        shown.mode(),
        shown.mode() == RegulatorMode.OFF ? Optional.empty() : shown.unavailable(),
        shown.freeze().map(BestEffortFreeze::frozen).orElse(Map.of()));
  }

  @Override
  public void close() {
    now.freeze().ifPresent(BestEffortFreeze::close);
    metrics.forget(NodeMetric.FROZEN);
  }
}
