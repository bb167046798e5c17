/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.core.kill.LowMemoryRule;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.config.EvictionSettings;
import io.charon.nodemanager.config.Mode;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.fault.GuardedParts;
import io.charon.nodemanager.mechanisms.freeze.NodeFreeze;
import io.charon.nodemanager.mechanisms.kill.NodeKillers;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.mechanisms.launch.NodeLaunches;
import io.charon.nodemanager.report.status.StatusReporter;
import io.charon.nodemanager.sensor.NodeMemorySensor.MemoryReading;
import io.charon.nodemanager.sensor.NodeSensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The measurements of a tick and the decisions based on them. Containers are measured, the node's
 * memory is read once, and both the mechanisms and the launch decisions use that reading.
 */
final class NodeObservation {
  private final NodeSensors sensors;
  private final ContainerLedger ledger;
  private final NodeContainers containers;
  private final SettingsFollower settings;
  private final NodeLaunches launches;
  private final NodeFreeze freeze;
  private final NodeKillers killers;
  private final LowMemoryRule lowMemory;
  private final StatusReporter reporter;
  private final NodeSignals signals;
  private final GuardedParts parts;
  private final LongSupplier nanoClock;

  /**
   * Creates an observation without any reading.
   *
   * @param sensors read the node and its containers
   * @param ledger records the working sets of containers
   * @param containers provides the waiting containers
   * @param settings the settings in force and their mechanisms
   * @param launches decide by the node's memory
   * @param freeze may need a share of the memory to thaw containers
   * @param killers may need a share of the memory to be kept free
   * @param lowMemory the size of that share
   * @param reporter shows the reading
   * @param signals notify YARN's side that the first container of the queue may start
   * @param parts isolate failures of the mechanisms
   * @param nanoClock monotonic nanoseconds
   */
  NodeObservation(
      NodeSensors sensors,
      ContainerLedger ledger,
      NodeContainers containers,
      SettingsFollower settings,
      NodeLaunches launches,
      NodeFreeze freeze,
      NodeKillers killers,
      LowMemoryRule lowMemory,
      StatusReporter reporter,
      NodeSignals signals,
      GuardedParts parts,
      LongSupplier nanoClock) {
    this.sensors = sensors;
    this.ledger = ledger;
    this.containers = containers;
    this.settings = settings;
    this.launches = launches;
    this.freeze = freeze;
    this.killers = killers;
    this.lowMemory = lowMemory;
    this.reporter = reporter;
    this.signals = signals;
    this.parts = parts;
    this.nanoClock = nanoClock;
  }

  /** Measures the working sets of the containers. */
  void measureContainers() {
    try {
      ledger.measured(sensors.workingSets());
    } catch (IOException e) {
      ledger.measured(Map.of()); // None settles meanwhile.
      throw new UncheckedIOException(
          "cannot measure working sets; the last measured values remain in use", e);
    }
  }

  /** Reads the node's memory and runs the mechanisms and the launch decisions on that reading. */
  void observeNode() {
    long readNanos = nanoClock.getAsLong();
    Optional<MemoryReading> reading = Optional.empty();
    Optional<IOException> unreadable = Optional.empty();
    try {
      reading = Optional.of(sensors.node().readUse());
    } catch (IOException e) {
      unreadable = Optional.of(e);
    }
    Optional<MemoryReading> read = reading;
    Optional<NodeMemory> memory = read.map(MemoryReading::memory);
    reporter.observed(memory);
    parts.run("the regulators", () -> settings.mechanisms().tick(nanoClock.getAsLong(), read));
    memory.ifPresentOrElse(seen -> decideLaunches(seen, readNanos), launches::unobserved);
    if (unreadable.isPresent()) {
      throw new UncheckedIOException(
          "best-effort launches stop until the node's memory can be read", unreadable.get());
    }
  }

  private void decideLaunches(NodeMemory memory, long readNanos) {
    // The processors that this process may use, which are the share of the machine given to the
    // node.
    launches.processors(
        Runtime.getRuntime().availableProcessors(),
        sensors.runnable().read(nanoClock.getAsLong()).orElse(0));
    launches.gate().ifPresent(gate -> observe(gate, memory, readNanos));
    launches
        .observer()
        .ifPresent(
            observer ->
                observer.observed(
                    memory,
                    forLaunches(memory),
                    ledger.bestEffortWorkingSets(),
                    containers.waiting()));
  }

  private void observe(LaunchGate gate, NodeMemory memory, long readNanos) {
    if (gate.observed(forLaunches(memory), ledger.bestEffortWorkingSets(), readNanos)) {
      signals.launchable();
    }
    settings
        .now()
        .scheduler()
        .queue()
        .longestWait()
        .map(gate::waitingFor)
        .filter(overdue -> !overdue.isEmpty())
        .ifPresent(signals::waitedTooLong);
  }

  /**
   * Returns the memory that launches may count on. The user-space killer keeps a share of the node
   * free; offering that share to launches would start containers only to kill them. The same holds
   * for memory above an eviction threshold. Likewise, freezing before a kill needs a share in which
   * the frozen containers can be thawed. The kernel killer acts on thrash and keeps nothing free;
   * the rule of {@code threshold} subtracts the share itself.
   */
  private NodeMemory forLaunches(NodeMemory memory) {
    if (settings.now().mode() == Mode.THRESHOLD) {
      return memory;
    }
    long keptFreeBytes =
        settings
            .now()
            .regulators()
            .of(EvictionSettings.class)
            .keptFreeBytes(memory.capacityBytes());
    if (!killers.kernelInCharge()) {
      keptFreeBytes = Math.max(keptFreeBytes, lowMemory.thresholdBytes(memory.capacityBytes()));
    }
    if (freeze.acts()) {
      keptFreeBytes = Math.max(keptFreeBytes, freeze.thawBytes(memory.capacityBytes()));
    }
    return memory.lessAvailable(keptFreeBytes);
  }
}
