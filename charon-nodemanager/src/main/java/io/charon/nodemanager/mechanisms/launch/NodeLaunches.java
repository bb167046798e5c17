/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.core.kill.LowMemoryRule;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.PeakEstimate;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.Mode;
import io.charon.nodemanager.config.SchedulerSettings;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Who decides about launches on a node, as its mode wants it: a gate, an observer that nobody
 * obeys, or neither; and what both are told of containers.
 */
public final class NodeLaunches {
  private final Optional<LaunchGate> gate;
  private final Optional<LaunchObserver> observer;

  /**
   * Knows of no container yet.
   *
   * @param settings what the operator wants
   * @param readingAge how old a reading may be that launches are decided by
   * @param lowMemory the rule of the user-space killer, for the observer
   * @param metrics count how long launches waited
   */
  public NodeLaunches(
      CharonSettings settings, Duration readingAge, LowMemoryRule lowMemory, NodeMetrics metrics) {
    SchedulerSettings scheduler = settings.scheduler();
    Optional<LocalScheduler> decides =
        switch (settings.mode()) {
          case CHARON -> Optional.of(LocalSchedulers.bySnapshot(scheduler));
          case KUBER ->
              Optional.of(
                  LocalSchedulers.byThreshold(scheduler, settings.killerThresholdPercent()));
          case OBSERVE, OFF -> Optional.empty();
        };
    LongConsumer waited = nanos -> metrics.launchWait().update(nanos, TimeUnit.NANOSECONDS);
    this.gate = decides.map(local -> gate(local, readingAge, waited, ""));
    this.observer =
        settings.mode() == Mode.OBSERVE
            ? Optional.of(
                new LaunchObserver(
                    gate(
                        LocalSchedulers.bySnapshot(scheduler),
                        readingAge,
                        nanos -> {},
                        "observe, not carried out: "),
                    lowMemory,
                    System::nanoTime))
            : Optional.empty();
  }

  private static LaunchGate gate(
      LocalScheduler scheduler, Duration readingAge, LongConsumer launchWaitNanos, String remark) {
    return new LaunchGate(
        scheduler, readingAge, System::nanoTime, Clock.systemUTC(), launchWaitNanos, remark);
  }

  /** Decides about launches; absent where stock YARN does. */
  public Optional<LaunchGate> gate() {
    return gate;
  }

  /** Says what would be decided; only in mode observe. */
  public Optional<LaunchObserver> observer() {
    return observer;
  }

  /** Learns what jobs need, whether it decides or not. */
  public Optional<LaunchGate> learning() {
    return gate.or(() -> observer.map(LaunchObserver::gate));
  }

  /** A best-effort container starts, by whose decision ever. */
  public void started(ContainerInfo container) {
    observer.ifPresent(observes -> observes.started(container.launchRequest()));
  }

  /** A container was found running; a gate hears of it from YARN's scheduler. */
  public void reacquired(ContainerInfo container) {
    if (isBestEffort(container)) {
      observer.ifPresent(observes -> observes.reacquired(container.launchRequest()));
    }
  }

  /** A running container was promoted or demoted. */
  public void changed(ContainerInfo container) {
    if (isBestEffort(container)) {
      gate.ifPresent(decides -> decides.adopt(container.launchRequest()));
      observer.ifPresent(observes -> observes.reacquired(container.launchRequest()));
    } else {
      ended(container.containerId(), 0);
    }
  }

  /**
   * A container is not best-effort any more, or has ended.
   *
   * @param peakBytes its highest working set, 0 if never measured
   * @return how well its need was foreseen, where somebody decided by that
   */
  public Optional<PeakEstimate> ended(String containerId, long peakBytes) {
    observer.ifPresent(observes -> observes.ended(containerId, peakBytes));
    return gate.flatMap(decides -> decides.ended(containerId, peakBytes));
  }

  /** How many cores the node has now, at least 1. */
  public void cores(int cores) {
    learning().ifPresent(known -> known.cores(cores));
  }

  /** The node's memory cannot be read: nothing best-effort starts. */
  public void unobserved() {
    gate.ifPresent(LaunchGate::unobserved);
    observer.ifPresent(LaunchObserver::unobserved);
  }

  private static boolean isBestEffort(ContainerInfo container) {
    return container.executionType() == ExecutionType.OPPORTUNISTIC;
  }
}
