/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.core.law.CpuWaterLine;
import io.charon.core.law.MemoryReserve;
import io.charon.core.law.eviction.EvictionRule.MemoryUse;
import io.charon.core.law.memorylimit.KillCandidates;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.CheckedAvailability;
import io.charon.core.mechanism.LastKill;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.Snapshot;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuBandwidth;
import io.charon.nodemanager.cgroup.CpusetWriter;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.RegulatorSettings;
import io.charon.nodemanager.config.RegulatorSettings.Link;
import io.charon.nodemanager.config.RegulatorSettings.NetworkLimit;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.execution.MechanismParts;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.mechanisms.cfsquota.CfsQuota;
import io.charon.nodemanager.mechanisms.cpuset.BestEffortCpuset;
import io.charon.nodemanager.mechanisms.memorylimit.MemoryBound;
import io.charon.nodemanager.mechanisms.memorylimit.MemoryLimitParts;
import io.charon.nodemanager.mechanisms.network.EgressLimit;
import io.charon.nodemanager.mechanisms.network.TrafficShaper;
import io.charon.nodemanager.network.EgressDevice;
import io.charon.nodemanager.network.NetworkDevice;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import io.charon.nodemanager.report.status.MechanismGauges;
import io.charon.nodemanager.sensor.MemoryPlaces;
import io.charon.nodemanager.sensor.NetworkSensor;
import io.charon.nodemanager.sensor.NodeMemorySensor.MemoryReading;
import io.charon.nodemanager.sensor.NodeSides;
import io.charon.nodemanager.sensor.NodeSnapshotReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mechanisms that limit best-effort on a node under the current settings, with their sensors
 * and the actuators that set their limits.
 */
final class NodeMechanisms implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeMechanisms.class);

  /**
   * Longest time that a tick waits for the helper (our choice); processes start slowly on a busy
   * machine.
   */
  private static final Duration HELPER_TIMEOUT = Duration.ofSeconds(2);

  /**
   * The machine on which the mechanisms work.
   *
   * @param procRoot the mount point of proc
   * @param sysRoot the mount point of sysfs
   * @param layout the containers' cgroups; empty if containers have none
   * @param possible the cgroups that containers have or could have
   * @param cpusets assigns cores to the cgroups of {@code layout}
   * @param adopted where the memory of containers is counted, if Charon adopts their cgroups
   */
  record Machine(
      Path procRoot,
      Path sysRoot,
      Optional<CgroupLayout> layout,
      Optional<CgroupLayout> possible,
      Optional<CpusetWriter> cpusets,
      Optional<MemoryPlaces> adopted) {}

  /**
   * Suppliers of the state of the containers.
   *
   * @param tasks the running best-effort containers of the launch gate
   * @param candidates the same containers, as candidates for a kill that frees memory
   * @param lastKill time of the last kill by any killer
   * @param reservations requests of the running production containers, bytes by container id
   * @param vcores requests of the same containers, vcores by container id
   * @param bestEffortBytes working set of all best-effort containers, used where they have no
   *     cgroups
   */
  record Containers(
      Supplier<BestEffortTasks> tasks,
      Supplier<KillCandidates> candidates,
      Supplier<LastKill> lastKill,
      Supplier<Map<String, Long>> reservations,
      Supplier<Map<String, Integer>> vcores,
      LongSupplier bestEffortBytes) {
    /** Returns the suppliers of a node without containers. */
    static Containers none() {
      return new Containers(
          () -> new BestEffortTasks(List.of()),
          () -> new KillCandidates(List.of()),
          () -> new LastKill(OptionalLong.empty()),
          Map::of,
          Map::of,
          () -> 0);
    }
  }

  private final NodeSnapshotReader reader;
  private final EgressDevice device;
  private final OptionalDouble linkBytesPerSecond;
  private final Containers containers;
  private final Optional<MemoryLimitParts> memoryLimit;
  private final List<MechanismParts> listed;
  private final Map<Limit, Actuator> actuators;
  private final ActionExecutor executor;
  private final List<MechanismRunner.Entry> entries;
  private final MechanismRunner runner;
  private final NodeMetrics metrics;
  private Optional<NetworkSensor> traffic = Optional.empty();
  private volatile Optional<NodeReading> last = Optional.empty();

  /**
   * Assembles the mechanisms without touching the machine.
   *
   * @param settings the operator's settings
   * @param machine the machine on which they work
   * @param containers suppliers of the state of the containers
   * @param memory limits the memory that launches may count on
   * @param executor carries out their actions
   * @param metrics shows their decisions
   * @param requestTick requests the next tick at once; must not block
   */
  NodeMechanisms(
      CharonSettings settings,
      Machine machine,
      Containers containers,
      MemoryBound memory,
      ActionExecutor executor,
      NodeMetrics metrics,
      Runnable requestTick) {
    this.containers = containers;
    this.executor = executor;
    this.metrics = metrics;
    RegulatorSettings wanted = settings.regulators();
    Helper helper = new Helper(List.of(wanted.helper().toString()), HELPER_TIMEOUT);
    Link link = wanted.network().link();
    this.device =
        new EgressDevice(
            () ->
                link.device()
                    .map(name -> new NetworkDevice(machine.sysRoot(), name))
                    .or(() -> NetworkDevice.ofDefaultRoute(machine.procRoot(), machine.sysRoot())));
    this.linkBytesPerSecond = link.linkBytesPerSecond();
    this.reader = reader(wanted, machine, helper, containers.bestEffortBytes());
    this.memoryLimit =
        MemoryLimitParts.find(
            settings,
            machine.possible(),
            machine.layout().isPresent(),
            machine.adopted(),
            machine.procRoot(),
            helper,
            containers.reservations(),
            requestTick);
    this.listed = MechanismList.on(new MechanismList.Node(settings, machine, containers, helper));
    this.actuators = actuators(wanted, machine, helper, device, memory);
    listed.forEach(parts -> actuators.putAll(parts.actuators()));
    actuators.put(
        Limit.MEMORY_USE,
        memoryLimit
            .map(MemoryLimitParts::actuator)
            .orElseGet(() -> Actuator.missing(CgroupLayout.NONE)));
    this.entries =
        new ArrayList<>(
            List.of(
                new MechanismRunner.Entry(
                    new MemoryReserve(wanted.memory().rule()), wanted.memory().mode()),
                new MechanismRunner.Entry(
                    CfsQuota.of(wanted.cpu(), reader), wanted.cpu().healthMode()),
                new MechanismRunner.Entry(
                    BestEffortCpuset.of(
                        wanted.cores(), settings.placement().cpuSplit(), reader, machine.sysRoot()),
                    wanted.cores().mode()),
                new MechanismRunner.Entry(
                    EgressLimit.of(
                        wanted.network(),
                        CheckedAvailability.of(() -> seesTraffic(machine, device))),
                    wanted.network().mode()),
                new MechanismRunner.Entry(
                    memoryLimit
                        .map(MemoryLimitParts::mechanism)
                        .orElseGet(MemoryLimitParts::withoutCgroups),
                    wanted.memoryLimit().mode())));
    listed.forEach(parts -> entries.addAll(parts.entries()));
    wanted
        .waterLine()
        .map(line -> new CpuWaterLine(line, wanted.cpu().rule()))
        .ifPresent(
            mechanism -> entries.add(new MechanismRunner.Entry(mechanism, wanted.cpu().mode())));
    this.runner = new MechanismRunner(entries, executor);
    MechanismGauges.show(runner, metrics);
  }

  private NodeSnapshotReader reader(
      RegulatorSettings wanted, Machine machine, Helper helper, LongSupplier bestEffortBytes) {
    return machine
        .layout()
        .map(
            cgroups ->
                NodeSnapshotReader.of(
                    NodeSides.of(cgroups, wanted.foregroundCgroups()),
                    machine.procRoot(),
                    helper,
                    this::traffic))
        .orElseGet(() -> NodeSnapshotReader.withoutCgroups(machine.procRoot(), bestEffortBytes));
  }

  private ResourceUse traffic(long nanos) {
    if (traffic.isEmpty()) {
      traffic = device.known().map(found -> new NetworkSensor(found, linkBytesPerSecond));
    }
    return traffic
        .map(sensor -> sensor.read(nanos))
        .orElseGet(() -> ResourceUse.missing(EgressDevice.MISSING));
  }

  private static Availability seesTraffic(Machine machine, EgressDevice device) {
    if (machine.layout().isEmpty()) {
      return Availability.missing(CgroupLayout.NONE);
    }
    return device.find().isEmpty()
        ? Availability.missing(EgressDevice.MISSING)
        : Availability.available();
  }

  private static Map<Limit, Actuator> actuators(
      RegulatorSettings wanted,
      Machine machine,
      Helper helper,
      EgressDevice device,
      MemoryBound memory) {
    Map<Limit, Actuator> actuators = new LinkedHashMap<>();
    actuators.put(Limit.MEMORY, memory);
    actuators.put(
        Limit.CPUS,
        machine
            .cpusets()
            .map(BestEffortCpuset::actuator)
            .orElseGet(() -> Actuator.missing("containers have no cgroups of their own")));
    actuators.put(Limit.CPU_QUOTA, Actuator.missing(CgroupLayout.NONE));
    actuators.put(Limit.TRAFFIC, Actuator.missing(CgroupLayout.NONE));
    machine
        .layout()
        .ifPresent(
            cgroups -> {
              actuators.put(Limit.CPU_QUOTA, quota(cgroups));
              actuators.put(
                  Limit.TRAFFIC,
                  EgressLimit.actuator(
                      device,
                      machine.sysRoot(),
                      found ->
                          new TrafficShaper(
                              helper,
                              found,
                              TrafficShaper.bestEffortIn(cgroups),
                              wanted.network().link().limit() == NetworkLimit.GIVE_WAY)));
            });
    return actuators;
  }

  private static Actuator quota(CgroupLayout layout) {
    return layout
        .hierarchy(CgroupController.CPU)
        .map(
            cpu ->
                CfsQuota.actuator(
                    new CpuBandwidth(
                        layout.classDirectory(cpu, ContainerClass.BEST_EFFORT), cpu.version())))
        .orElseGet(() -> Actuator.missing("the cpu controller is not mounted"));
  }

  /**
   * Removes what an earlier NodeManager left behind, and checks which mechanisms are available
   * here.
   */
  void start() {
    executor.use(actuators);
    runner.start();
  }

  /**
   * Runs the mechanisms for one tick; {@code memory} is empty if the node's memory could not be
   * read.
   */
  void tick(long nanos, Optional<MemoryReading> memory) {
    NodeReading use = reader.read(nanos, memory);
    runner.tick(new Snapshot(nanos, readings(nanos, use, memory)));
    memoryLimit.ifPresent(MemoryLimitParts::sweep);
    last = Optional.of(use);
  }

  private Reading[] readings(long nanos, NodeReading use, Optional<MemoryReading> memory) {
    List<Reading> readings = new ArrayList<>();
    readings.add(use);
    readings.add(containers.tasks().get());
    readings.add(containers.lastKill().get());
    memory.map(MemoryReading::memory).map(NodeMechanisms::use).ifPresent(readings::add);
    listed.forEach(parts -> parts.readings(nanos).forEach(readings::add));
    memoryLimit
        .flatMap(parts -> parts.read(nanos))
        .ifPresent(
            holding -> {
              readings.add(holding);
              readings.add(containers.candidates().get());
            });
    return readings.toArray(Reading[]::new);
  }

  private static MemoryUse use(NodeMemory memory) {
    return new MemoryUse(memory.usedBytes(), memory.capacityBytes());
  }

  /** Returns the reading of the last tick; empty before the first tick. */
  Optional<NodeReading> lastReading() {
    return last;
  }

  /** Returns all mechanisms, in the order in which they decide; visible for tests. */
  List<MechanismRunner.Entry> entries() {
    return entries;
  }

  /** Returns what sets the limits; visible for tests. */
  Map<Limit, Actuator> actuators() {
    return actuators;
  }

  /** Returns the state of every mechanism. */
  List<MechanismRunner.State> states() {
    return runner.states();
  }

  @Override
  public void close() {
    executor.use(Map.of());
    states().forEach(state -> metrics.forgetRegulator(MechanismGauges.label(state.name())));
    try {
      reader.close();
      for (MechanismParts parts : listed) {
        parts.close();
      }
      if (memoryLimit.isPresent()) {
        memoryLimit.get().close();
      }
      if (traffic.isPresent()) {
        traffic.get().close();
      }
    } catch (IOException e) {
      LOG.debug("cannot close a sensor's file", e);
    }
  }
}
