/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import io.charon.core.cpuset.Cores;
import io.charon.nodemanager.sensor.Measurement;
import io.charon.nodemanager.sensor.NodeSnapshot;
import io.charon.nodemanager.sensor.NodeSnapshotReader.HealthSignal;
import io.charon.nodemanager.sensor.ResourceUse;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a regulator regulates, and what it sees of it.
 *
 * @param name such as memory; part of keys, metrics and the audit
 * @param limitUnit unit of the limit and of what best-effort uses: bytes, cores, bytes_per_second
 * @param signalName what is observed of the foreground, for people
 * @param signalUnit its unit: that of the limit, or ratio
 * @param use who uses how much of the resource
 * @param signal what is observed of the foreground
 * @param signalNote why that and not a better one; empty if there is none
 */
public record Resource(
    String name,
    String limitUnit,
    String signalName,
    String signalUnit,
    Function<NodeSnapshot, ResourceUse> use,
    Function<NodeSnapshot, Measurement> signal,
    Optional<String> signalNote) {
  /** The name of the cores, which are the unit of CPU time, too. */
  public static final String CORES = "cores";

  /** Memory, by the working set of the foreground. */
  public static Resource memory() {
    return new Resource(
        "memory",
        "bytes",
        "working set and swap",
        "bytes",
        NodeSnapshot::memory,
        snapshot -> snapshot.memory().foreground(),
        Optional.empty());
  }

  /**
   * CPU time, by how well the foreground does with it.
   *
   * @param signal how that is measured
   */
  public static Resource cpu(HealthSignal signal) {
    return switch (signal) {
      case PRESSURE -> cpu("pressure", NodeSnapshot::pressure);
      case RUN_QUEUE -> cpu("run-queue", NodeSnapshot::runQueueDelay);
      case INSTRUCTIONS -> cpu("instructions/cycle", NodeSnapshot::instructionsPerCycle);
    };
  }

  private static Resource cpu(String signalName, Function<NodeSnapshot, Measurement> signal) {
    return new Resource(
        "cpu", "cores", signalName, "ratio", NodeSnapshot::cpu, signal, Optional.empty());
  }

  /**
   * The same with a note on its signal.
   *
   * @param note why that and not a better one
   */
  public Resource noting(Optional<String> note) {
    return new Resource(name, limitUnit, signalName, signalUnit, use, signal, note);
  }

  /** What is sent, by what the foreground sends. */
  public static Resource network() {
    return new Resource(
        "network",
        "bytes_per_second",
        "traffic sent",
        "bytes_per_second",
        NodeSnapshot::network,
        snapshot -> snapshot.network().foreground(),
        Optional.empty());
  }

  /**
   * Cores, by those that foreground is pinned to or by its load on the others.
   *
   * @param followLoad by its load
   * @param split the cores that the operator gave best-effort; empty for all
   */
  public static Resource cores(boolean followLoad, Optional<Cores> split) {
    Function<NodeSnapshot, ResourceUse> use =
        snapshot ->
            new ResourceUse(
                snapshot.cores().foregroundElsewhere(snapshot.cpu().foreground()),
                snapshot.cpu().bestEffort(),
                Measurement.of(snapshot.cores().usableOf(split).count()));
    return followLoad
        ? new Resource(
            "cores",
            "cores",
            "load",
            "cores",
            use,
            snapshot -> use.apply(snapshot).foreground(),
            Optional.empty())
        : new Resource(
            "cores",
            "cores",
            "pinned cores",
            "cores",
            use,
            snapshot -> snapshot.cores().pinnedCount(),
            Optional.empty());
  }
}
