/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.core.kill.LowMemoryRule;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.PeakEstimate;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.Mode;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerListener;
import io.charon.nodemanager.container.LaunchPrefix;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Selects what decides about launches on a node according to its mode: a gate, an observer whose
 * decisions are not carried out, or neither; and reports containers to them. The mode may change
 * while containers run and wait. Thread-safe.
 */
public final class NodeLaunches implements ContainerListener {
  private final LaunchGate gate;
  private final LowMemoryRule lowMemory;
  private final Audit audit;
  private final NodeMetrics metrics;
  private final LongSupplier nanoClock;
  private volatile Mode mode;
  private volatile Optional<LaunchObserver> observer = Optional.empty();

  /**
   * Creates an instance that knows of no container.
   *
   * @param settings the operator's settings
   * @param readingAge maximum age of the reading that launches are decided by
   * @param lowMemory the rule of the user-space killer, for the observer
   * @param audit receives launches, and the actions that the observer would have taken
   * @param metrics receive the waits of launches and the accuracy of expected peaks
   * @param clock for displayed times
   * @param nanoClock monotonic nanoseconds
   */
  public NodeLaunches(
      CharonSettings settings,
      Duration readingAge,
      LowMemoryRule lowMemory,
      Audit audit,
      NodeMetrics metrics,
      Clock clock,
      LongSupplier nanoClock) {
    this.lowMemory = lowMemory;
    this.audit = audit;
    this.metrics = metrics;
    this.nanoClock = nanoClock;
    this.mode = settings.mode();
    this.gate =
        new LaunchGate(
            scheduler(settings), readingAge, nanoClock, clock, this::waited, remark(mode));
    this.observer = observer(mode);
  }

  /**
   * Applies a new mode. Containers that YARN has queued or is starting are not known to the new
   * gate or observer; YARN's scheduler has to report them.
   *
   * @param settings the operator's new settings
   * @param running all containers of the node
   */
  public void change(CharonSettings settings, Collection<ContainerInfo> running) {
    observer = Optional.empty();
    mode = settings.mode();
    gate.restart(scheduler(settings), remark(mode));
    observer = observer(mode);
    running.forEach(this::observed);
  }

  private static LocalScheduler scheduler(CharonSettings settings) {
    return settings.mode() == Mode.THRESHOLD
        ? LocalSchedulers.byThreshold(settings.scheduler(), settings.killers().thresholdPercent())
        : LocalSchedulers.bySnapshot(settings);
  }

  private static String remark(Mode mode) {
    return mode == Mode.OBSERVE ? "observe, not carried out: " : "";
  }

  private Optional<LaunchObserver> observer(Mode wanted) {
    return wanted == Mode.OBSERVE
        ? Optional.of(new LaunchObserver(gate, lowMemory, nanoClock, audit))
        : Optional.empty();
  }

  private void waited(long nanos) {
    if (mode.acts()) {
      metrics.launchWait().update(nanos, TimeUnit.NANOSECONDS);
    }
  }

  /** Returns the gate that decides about launches; empty if stock YARN does. */
  public Optional<LaunchGate> gate() {
    return mode.acts() ? Optional.of(gate) : Optional.empty();
  }

  /** Returns the observer, which reports what would be decided; only in mode observe. */
  public Optional<LaunchObserver> observer() {
    return observer;
  }

  /**
   * Returns the gate that learns the peaks of jobs, whether it decides or not; empty in mode off.
   */
  public Optional<LaunchGate> learning() {
    return mode == Mode.OFF ? Optional.empty() : Optional.of(gate);
  }

  /** Returns the gate, whatever the mode is. */
  public LaunchGate gateInAnyMode() {
    return gate;
  }

  /** Reports a starting best-effort container to the observer, and audits a launch by the gate. */
  @Override
  public Optional<LaunchPrefix> starting(ContainerInfo container, boolean placed) {
    gate().ifPresent(decides -> followClass(container, decides));
    if (isBestEffort(container)) {
      observer.ifPresent(observes -> observes.started(container.launchRequest()));
      gate()
          .flatMap(decides -> decides.launched(container.containerId()))
          .ifPresent(this::writeAuditLine);
    }
    return Optional.empty();
  }

  /**
   * Corrects the gate's charges if the container has changed its class since the gate launched it:
   * this is not reported as a change, because nothing was running.
   */
  private void followClass(ContainerInfo container, LaunchGate decides) {
    boolean charged = decides.isRunning(container.containerId());
    if (isBestEffort(container) && !charged) {
      decides.adopt(container.launchRequest());
    } else if (!isBestEffort(container) && charged) {
      var unused = ended(container.containerId(), 0, ContainerEnd.OTHER);
    }
  }

  private void writeAuditLine(LaunchDecision decision) {
    audit.write(
        "scheduler",
        RegulatorMode.ENFORCE,
        new Basis(
            "the node",
            Map.of("needed", (double) decision.verdict().neededBytes()),
            decision.verdict().limitBytes(),
            decision.verdict().reason().name(),
            decision.verdict().reason().text()),
        "launch",
        decision.containerId(),
        "applied: started");
  }

  /** Reports the container to the observer only; YARN's scheduler reports it to a gate. */
  @Override
  public void reacquired(ContainerInfo container, boolean placed) {
    observed(container);
  }

  private void observed(ContainerInfo container) {
    if (isBestEffort(container)) {
      observer.ifPresent(observes -> observes.reacquired(container.launchRequest()));
    }
  }

  @Override
  public void changed(ContainerInfo container, boolean placed) {
    if (isBestEffort(container)) {
      gate().ifPresent(decides -> decides.adopt(container.launchRequest()));
      observed(container);
    } else {
      // Its charge is returned but not its memory, so launches wait for the next reading.
      ended(container.containerId(), 0, ContainerEnd.OTHER)
          .ifPresent(promoted -> gate.unobserved());
    }
  }

  @Override
  public void released(String containerId, long peakBytes, ContainerEnd end) {
    ended(containerId, peakBytes, end)
        .filter(PeakEstimate::isMeasured)
        .ifPresent(metrics::recordPeakEstimate);
  }

  /** Returns how the expected peak compares with the measured one; empty if no gate decided. */
  private Optional<PeakEstimate> ended(String containerId, long peakBytes, ContainerEnd end) {
    observer.ifPresent(observes -> observes.ended(containerId, peakBytes, end));
    return gate().flatMap(decides -> decides.ended(containerId, peakBytes, end));
  }

  /**
   * Reports the node's processors.
   *
   * @param cores number of cores of the node, at least 1
   * @param runnablePerCore threads that run or wait for a core, for each core; 0 if unknown
   */
  public void processors(int cores, double runnablePerCore) {
    gate.processors(cores, runnablePerCore);
  }

  /** Handles a failed reading of the node's memory: no best-effort container starts. */
  public void unobserved() {
    gate.unobserved();
  }

  private static boolean isBestEffort(ContainerInfo container) {
    return container.executionType() == ExecutionType.OPPORTUNISTIC;
  }
}
