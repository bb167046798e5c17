/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.law.CpuQuotaSettings.Worse;
import io.charon.core.mechanism.CoreUse;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.sensor.NodeMemorySensor.MemoryReading;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * Reads a node into one {@link NodeReading} per tick. Each file is read once; a value that cannot
 * be read is missing with a reason, and the rest is read nevertheless. Not thread-safe.
 */
public final class NodeSnapshotReader implements Closeable {
  /** The signal by which the foreground's health is judged. */
  public enum HealthSignal {
    /** Pressure stall information. */
    PRESSURE(Worse.HIGHER),
    /** Delays of threads in the run queue. */
    RUN_QUEUE(Worse.HIGHER),
    /** Instructions per cycle. */
    INSTRUCTIONS(Worse.LOWER);

    private final Worse worse;

    HealthSignal(Worse worse) {
      this.worse = worse;
    }

    /** Returns the direction in which the signal changes when the foreground suffers. */
    public Worse worse() {
      return worse;
    }
  }

  private static final String NO_CGROUPS = CgroupLayout.NONE;
  private static final String NOT_CHOSEN = "another signal is in use";

  private final Optional<NodeSides> sides;
  private final Path procRoot;
  private final LongSupplier bestEffortBytes;
  private final LongFunction<ResourceUse> network;
  private final ProcStat machine;
  private final Optional<CpuSensor> cpu;
  private final Optional<CoreSensor> cores;
  private final Optional<MemoryStat> bestEffortMemory;
  private final Optional<PressureSensor> pressure;
  private final Optional<RunQueueSensor> runQueue;
  private final Optional<InstructionsSensor> instructions;
  private Optional<HealthSignal> health = Optional.empty();
  private Optional<TopologyReader> topology = Optional.empty();
  private boolean readsPinned;

  private NodeSnapshotReader(
      Optional<NodeSides> sides,
      Path procRoot,
      LongSupplier bestEffortBytes,
      Optional<Helper> helper,
      LongFunction<ResourceUse> network) {
    this.sides = sides;
    this.procRoot = procRoot;
    this.bestEffortBytes = bestEffortBytes;
    this.network = network;
    this.machine = new ProcStat(procRoot);
    this.cpu = sides.map(known -> new CpuSensor(known, machine));
    this.cores = sides.map(known -> new CoreSensor(known, machine));
    this.pressure = sides.map(PressureSensor::new);
    this.runQueue = sides.map(known -> new RunQueueSensor(known, procRoot));
    this.instructions =
        sides.flatMap(
            known ->
                helper.map(program -> new InstructionsSensor(known, program, System::nanoTime)));
    this.bestEffortMemory =
        sides.map(
            known -> new MemoryStat(known.bestEffort(known.memory()), known.memory().version()));
  }

  /**
   * Creates a reader for a node on which both sides have cgroups.
   *
   * @param sides the cgroups of both sides
   * @param procRoot the mount point of proc
   * @param helper counts instructions
   * @param network reads the traffic of both sides
   */
  public static NodeSnapshotReader of(
      NodeSides sides, Path procRoot, Helper helper, LongFunction<ResourceUse> network) {
    return new NodeSnapshotReader(
        Optional.of(sides), procRoot, () -> 0, Optional.of(helper), network);
  }

  /**
   * Creates a reader for containers without cgroups, where the sides differ only in their memory.
   *
   * @param procRoot the mount point of proc
   * @param bestEffortBytes working set of all best-effort containers
   */
  public static NodeSnapshotReader withoutCgroups(Path procRoot, LongSupplier bestEffortBytes) {
    return new NodeSnapshotReader(
        Optional.empty(),
        procRoot,
        bestEffortBytes,
        Optional.empty(),
        nanos -> ResourceUse.missing(NO_CGROUPS));
  }

  /**
   * Enables reading the foreground's health.
   *
   * @param signal the signal to read
   */
  public void enableHealth(HealthSignal signal) {
    health = Optional.of(signal);
  }

  /** Enables reading the cores to which foreground is pinned. */
  public void enablePinned() {
    readsPinned = true;
  }

  /**
   * Enables reading which caches and nodes the cores share.
   *
   * @param sysRoot the mount point of sysfs
   */
  public void enableTopology(Path sysRoot) {
    topology = Optional.of(new TopologyReader(sysRoot));
  }

  /** Returns why pinned foreground cannot be determined on this machine; empty if it can. */
  public Optional<String> pinnedUnavailable() {
    if (sides.isEmpty()) {
      return Optional.of(NO_CGROUPS);
    }
    return sides.get().hierarchy(CgroupController.CPUSET).isPresent()
        ? Optional.empty()
        : Optional.of("the cpuset controller is not mounted");
  }

  /**
   * Returns why the foreground's health cannot be read by a signal on this machine; empty if it
   * can. Runs the helper for instructions.
   */
  public Optional<String> unavailable(HealthSignal signal) {
    if (sides.isEmpty()) {
      return Optional.of(NO_CGROUPS);
    }
    return switch (signal) {
      case PRESSURE -> pressure.orElseThrow().unavailable(procRoot);
      case RUN_QUEUE -> runQueue.orElseThrow().unavailable();
      case INSTRUCTIONS -> instructions.orElseThrow().unavailable();
    };
  }

  /** Returns a description of the foreground for display. */
  public String foreground() {
    return sides.map(NodeSides::foreground).orElse("the node minus best-effort");
  }

  /**
   * Reads everything except the node's memory, which the caller has read already.
   *
   * @param nanos current time on the caller's monotonic clock
   * @param memory the node's memory; empty if it could not be read
   */
  public NodeReading read(long nanos, Optional<MemoryReading> memory) {
    if (sides.isPresent()) {
      machine.read();
    }
    CoreUse coresNow =
        cores
            .map(sensor -> sensor.read(nanos, readsPinned))
            .map(use -> topology.map(reader -> use.on(reader.read())).orElse(use))
            .orElseGet(() -> CoreUse.missing(NO_CGROUPS));
    return new NodeReading(
        nanos,
        foreground(),
        memory(memory),
        cpu.map(sensor -> sensor.read(nanos, coresNow.bestEffortCount()))
            .orElseGet(() -> ResourceUse.missing(NO_CGROUPS)),
        coresNow,
        network.apply(nanos),
        new NodeReading.Health(
            health(HealthSignal.PRESSURE, nanos),
            health(HealthSignal.RUN_QUEUE, nanos),
            health(HealthSignal.INSTRUCTIONS, nanos)),
        cpu.map(sensor -> sensor.throttled(nanos))
            .orElseGet(() -> Measurement.missing(NO_CGROUPS)));
  }

  private Measurement health(HealthSignal signal, long nanos) {
    if (sides.isEmpty()) {
      return Measurement.missing(NO_CGROUPS);
    }
    if (health.filter(signal::equals).isEmpty()) {
      return Measurement.missing(NOT_CHOSEN);
    }
    return switch (signal) {
      case PRESSURE -> pressure.orElseThrow().read(nanos);
      case RUN_QUEUE -> runQueue.orElseThrow().read(nanos);
      case INSTRUCTIONS -> instructions.orElseThrow().read(nanos);
    };
  }

  private ResourceUse memory(Optional<MemoryReading> reading) {
    Measurement bestEffort = bestEffortBytes();
    if (reading.isEmpty()) {
      Measurement missing = Measurement.missing("the node's memory cannot be read");
      return new ResourceUse(missing, bestEffort, missing);
    }
    // Includes swap, because on a full node only swap shows growth.
    Measurement used = Measurement.ofBytes(reading.get().demandBytes());
    return new ResourceUse(
        sides
            .filter(NodeSides::isNarrowed)
            .map(this::foregroundBytes)
            .orElse(used.minus(bestEffort)),
        bestEffort,
        Measurement.ofBytes(reading.get().memory().capacityBytes()));
  }

  private Measurement bestEffortBytes() {
    if (bestEffortMemory.isEmpty()) {
      return Measurement.ofBytes(bestEffortBytes.getAsLong());
    }
    NodeSides known = sides.orElseThrow();
    try {
      bestEffortMemory.get().read();
      return Measurement.ofBytes(bestEffortMemory.get().demandBytes());
    } catch (IOException e) {
      // Without its cgroup, no best-effort container is running.
      return Files.isDirectory(known.bestEffort(known.memory()))
          ? Measurement.missing(e.getMessage())
          : Measurement.of(0);
    }
  }

  private Measurement foregroundBytes(NodeSides known) {
    CgroupHierarchy memory = known.memory();
    List<Path> cgroups = known.foreground(memory);
    if (cgroups.isEmpty()) {
      return Measurement.missing("no cgroup of the foreground exists");
    }
    long bytes = 0;
    for (Path cgroup : cgroups) {
      try (MemoryStat stat = new MemoryStat(cgroup, memory.version())) {
        stat.read();
        bytes += stat.demandBytes();
      } catch (IOException e) {
        if (Files.isDirectory(cgroup)) {
          return Measurement.missing(e.getMessage());
        }
      }
    }
    return Measurement.ofBytes(bytes);
  }

  @Override
  public void close() throws IOException {
    instructions.ifPresent(InstructionsSensor::close);
    cores.ifPresent(CoreSensor::close);
    if (bestEffortMemory.isPresent()) {
      bestEffortMemory.get().close();
    }
    machine.close();
  }
}
