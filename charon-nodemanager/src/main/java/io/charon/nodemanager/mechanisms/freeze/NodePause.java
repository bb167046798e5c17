/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.freeze;

import io.charon.core.freeze.PauseRule;
import io.charon.core.law.RegulatorMode;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerFreezer;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.Mode;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerListener;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.report.metrics.Metric;
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
 * All that freezes and thaws containers on a node: Charon before a kill, where the operator wants
 * it, and YARN itself in any mode. Whatever was frozen goes on when there is nobody left to thaw
 * it, and when it is to end.
 */
public final class NodePause implements ContainerListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodePause.class);

  private final NodeMemorySensor sensor;
  private final Supplier<Optional<LaunchGate>> gate;
  private final Function<String, Phase> phases;
  private final ActionExecutor executor;
  private final NodeMetrics metrics;
  private final LongSupplier nanoClock;
  private final Optional<ContainerFreezer> freezer;
  private final Optional<OrphanedFreezes> orphans;
  private volatile InForce now;

  /** What the settings of now make of it. */
  private record InForce(
      RegulatorMode mode,
      PauseRule rule,
      Optional<String> unavailable,
      Optional<BestEffortPause> pause) {}

  /**
   * Puts it together; nothing runs before {@link #start}.
   *
   * @param settings what the operator wants
   * @param layout the containers' cgroups, if they have any
   * @param sensor the node's memory
   * @param gate who runs, if Charon decides that
   * @param phases what is known of a container
   * @param executor freezes, thaws and kills
   * @param metrics counts it
   * @param nanoClock monotonic nanoseconds
   */
  public NodePause(
      CharonSettings settings,
      Optional<CgroupLayout> layout,
      NodeMemorySensor sensor,
      Supplier<Optional<LaunchGate>> gate,
      Function<String, Phase> phases,
      ActionExecutor executor,
      NodeMetrics metrics,
      LongSupplier nanoClock) {
    this.sensor = sensor;
    this.gate = gate;
    this.phases = phases;
    this.executor = executor;
    this.metrics = metrics;
    this.nanoClock = nanoClock;
    this.freezer = layout.map(ContainerFreezer::new);
    this.orphans =
        freezer.map(cold -> new OrphanedFreezes(cold, phases, metrics.toleratedFailures()));
    this.now = inForce(settings);
  }

  private InForce inForce(CharonSettings settings) {
    RegulatorMode mode = settings.pause().mode();
    Optional<String> unavailable =
        settings.mode() == Mode.ENFORCE
            ? freezer.map(ContainerFreezer::unavailable).orElse(Optional.of(CgroupLayout.NONE))
            : Optional.of(
                "it belongs to mode enforce: set yarn.nodemanager.charon.mode to enforce");
    return new InForce(
        mode,
        new PauseRule(settings.pause()),
        unavailable,
        mode == RegulatorMode.OFF || unavailable.isPresent()
            ? Optional.empty()
            : gate.get()
                .map(
                    launches ->
                        new BestEffortPause(
                            settings.pause(),
                            sensor,
                            launches,
                            executor,
                            phases,
                            metrics,
                            nanoClock)));
  }

  public void start() {
    if (now.mode() != RegulatorMode.OFF) {
      now.unavailable().ifPresent(reason -> LOG.warn("no container is paused: {}", reason));
      metrics.gauge(Metric.PAUSED, () -> state().paused().size());
    }
    orphans.ifPresent(OrphanedFreezes::start);
    now.pause().ifPresent(BestEffortPause::start);
  }

  /** The operator wants something else; what was wanted before is closed already. */
  public void change(CharonSettings settings) {
    now = inForce(settings);
    start();
  }

  /** Whether containers may be frozen for lack of memory. */
  public boolean acts() {
    return now.mode() == RegulatorMode.ENFORCE && now.pause().isPresent();
  }

  /** How much of the node's memory those that are frozen need to go on. */
  public long resumeBytes(long capacityBytes) {
    return now.rule().resumeBytes(capacityBytes);
  }

  public void tick() {
    orphans.ifPresent(OrphanedFreezes::tick);
  }

  /** It may have been left frozen. */
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

  /** A container is production now, was sent a signal that ends it, or its cgroup goes. */
  private void release(String containerId, boolean placed) {
    if (!placed) {
      return;
    }
    now.pause().ifPresent(ours -> ours.release(containerId));
    try {
      if (freezer.isPresent()) {
        freezer.get().thaw(containerId);
      }
    } catch (IOException e) {
      metrics.toleratedFailures().inc();
      LOG.warn("{} stays frozen", containerId, e);
    }
  }

  /**
   * YARN pauses a container.
   *
   * @throws IOException if it cannot be frozen
   */
  public void pausedByYarn(String containerId) throws IOException {
    freezer.orElseThrow(() -> new IOException(CgroupLayout.NONE)).freeze(containerId);
  }

  /**
   * YARN resumes a container that it paused.
   *
   * @throws IOException if it cannot be thawed
   */
  public void resumedByYarn(String containerId) throws IOException {
    freezer.orElseThrow(() -> new IOException(CgroupLayout.NONE)).thaw(containerId);
  }

  /** What people see. */
  public PauseState state() {
    InForce shown = now;
    return new PauseState(
        shown.mode(),
        shown.mode() == RegulatorMode.OFF ? Optional.empty() : shown.unavailable(),
        shown.pause().map(BestEffortPause::paused).orElse(Map.of()));
  }

  @Override
  public void close() {
    now.pause().ifPresent(BestEffortPause::close);
    metrics.forget(Metric.PAUSED);
  }
}
