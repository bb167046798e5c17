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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that freezes and thaws containers on a node: Charon before a kill, where the operator wants
 * it, and YARN itself in any mode. Whatever was frozen goes on when there is nobody left to thaw
 * it, and when it is to end.
 */
public final class NodePause implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodePause.class);

  private final RegulatorMode mode;
  private final PauseRule rule;
  private final Optional<String> unavailable;
  private final Optional<ContainerFreezer> freezer;
  private final Optional<Leftovers> leftovers;
  private final Optional<BestEffortPause> pause;
  private final NodeMetrics metrics;

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
      Optional<LaunchGate> gate,
      Function<String, Phase> phases,
      ActionExecutor executor,
      NodeMetrics metrics,
      LongSupplier nanoClock) {
    this.mode = settings.pause().mode();
    this.rule = new PauseRule(settings.pause());
    this.metrics = metrics;
    this.freezer = layout.map(ContainerFreezer::new);
    this.leftovers = freezer.map(cold -> new Leftovers(cold, phases, metrics.toleratedFailures()));
    this.unavailable =
        settings.mode() == Mode.ENFORCE
            ? freezer.map(ContainerFreezer::unavailable).orElse(Optional.of(CgroupLayout.NONE))
            : Optional.of(
                "it belongs to mode enforce: set yarn.nodemanager.charon.mode to enforce");
    this.pause =
        mode == RegulatorMode.OFF || unavailable.isPresent()
            ? Optional.empty()
            : gate.map(
                launches ->
                    new BestEffortPause(
                        settings.pause(), sensor, launches, executor, phases, metrics, nanoClock));
  }

  public void start() {
    if (mode != RegulatorMode.OFF) {
      unavailable.ifPresent(reason -> LOG.warn("no container is paused: {}", reason));
      metrics.gauge(Metric.PAUSED, () -> state().paused().size());
    }
    leftovers.ifPresent(Leftovers::start);
    pause.ifPresent(BestEffortPause::start);
  }

  /** Whether containers may be frozen for lack of memory. */
  public boolean acts() {
    return mode == RegulatorMode.ENFORCE && pause.isPresent();
  }

  /** How much of the node's memory those that are frozen need to go on. */
  public long resumeBytes(long capacityBytes) {
    return rule.resumeBytes(capacityBytes);
  }

  public void tick() {
    leftovers.ifPresent(Leftovers::tick);
  }

  /** A container that an earlier NodeManager started is watched again; it may be frozen. */
  public void recovered(String containerId) {
    leftovers.ifPresent(found -> found.recovered(containerId));
  }

  /** A container is production now, was sent a signal that ends it, or its cgroup goes. */
  public void release(String containerId) {
    pause.ifPresent(ours -> ours.release(containerId));
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
    return new PauseState(
        mode,
        mode == RegulatorMode.OFF ? Optional.empty() : unavailable,
        pause.map(BestEffortPause::paused).orElse(Map.of()));
  }

  @Override
  public void close() {
    pause.ifPresent(BestEffortPause::close);
    metrics.forget(Metric.PAUSED);
  }
}
