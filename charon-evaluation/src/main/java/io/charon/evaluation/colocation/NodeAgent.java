/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import com.codahale.metrics.Counter;
import io.charon.core.law.Cause;
import io.charon.core.law.CpuQuotaRegulator;
import io.charon.core.law.MemoryReserve;
import io.charon.core.law.NetworkRegulator;
import io.charon.core.law.RegulatedLimit;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.SharedLinkRegulator;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.Limit;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.Snapshot;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuBandwidth;
import io.charon.nodemanager.config.RegulatorSettings;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.mechanisms.cfsquota.CfsQuota;
import io.charon.nodemanager.mechanisms.memorylimit.MemoryBound;
import io.charon.nodemanager.mechanisms.network.EgressLimit;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.audit.AuditLog;
import io.charon.nodemanager.sensor.MemoryReading;
import io.charon.nodemanager.sensor.NetworkSensor;
import io.charon.nodemanager.sensor.NodeSensors;
import io.charon.nodemanager.sensor.NodeSnapshotReader;
import io.charon.nodemanager.sensor.NodeSnapshotReader.HealthSignal;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Charon's agent on a node without YARN. Once per tick it reads the sensors, lets the regulators
 * decide and act, and starts best-effort containers. It consists of the same classes as in a
 * NodeManager, driven by a thread of its own.
 */
final class NodeAgent implements RunningAgent {
  /**
   * Causes that count as violations: the foreground exceeded its reserve, or its CPU signal got
   * worse.
   */
  private static final Set<Cause> VIOLATIONS = EnumSet.of(Cause.VIOLATION, Cause.WORSE);

  private final ColocatedNode node;
  private final ColocationMode mode;
  private final ColocatedTasks tasks;
  private final Optional<ShapedLink> link;
  private final NodeSensors sensors;
  private final NodeSnapshotReader reader;
  private final Optional<NetworkSensor> network;
  private final Optional<ColocatedEviction> eviction;
  private final ActionExecutor executor;
  private final MechanismRunner runner;
  private final CpuBandwidth quota;
  private final MemoryBound memory;
  private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor();
  private Count count = Count.NONE;
  private Optional<IOException> failure = Optional.empty();

  private NodeAgent(
      ColocatedNode node,
      ColocationMode mode,
      ColocatedTasks tasks,
      Optional<ShapedLink> link,
      Optional<AuditLog> audit)
      throws IOException {
    this.node = node;
    this.mode = mode;
    this.tasks = tasks;
    this.link = link;
    this.sensors = node.sensors();
    this.network = link.map(ShapedLink::sensor);
    this.reader =
        node.reader(
            nanos ->
                network
                    .map(sensor -> sensor.read(nanos))
                    .orElseGet(() -> ResourceUse.missing("the node has no link")));
    this.quota = quota(node);
    this.memory = new MemoryBound(Optional.of(tasks::setMemoryBound));
    this.eviction =
        mode.kind() == ColocationMode.Kind.EVICTION
            ? Optional.of(new ColocatedEviction(node, mode.name()))
            : Optional.empty();
    Counter failures = new Counter();
    this.executor =
        new ActionExecutor(
            new DyingContainers(System::nanoTime, () -> {}),
            (mechanism, containerId, reason) -> {},
            ContainerControl.of(Optional.empty(), tasks),
            Audit.direct(audit, Clock.systemUTC(), failures),
            failures,
            System::nanoTime);
    this.runner = new MechanismRunner(mode.isRegulated() ? mechanisms() : List.of(), executor);
  }

  /**
   * Sets the limit of a static mode or starts the regulators of a regulated one, and starts the
   * containers that may run.
   *
   * @param tasks the node's best-effort containers, which wait; the caller must end them
   * @param link link by which the node sends, if there is one
   * @param audit receives the actions of the regulators; empty for none
   * @throws IOException if a requested regulator cannot work here; the message says why
   */
  static NodeAgent start(
      ColocatedNode node,
      ColocationMode mode,
      ColocatedTasks tasks,
      Optional<ShapedLink> link,
      Optional<AuditLog> audit)
      throws IOException {
    NodeAgent agent = new NodeAgent(node, mode, tasks, link, audit);
    try {
      agent.executor.use(agent.actuators());
      agent.runner.start();
      for (MechanismRunner.State state : agent.runner.states()) {
        if (state.unavailable().isPresent()) {
          throw new IOException(
              "the regulator of "
                  + state.name()
                  + " cannot work here: "
                  + state.unavailable().get());
        }
      }
      agent.limit();
    } catch (IOException e) {
      agent.close();
      throw e;
    }
    var unused =
        agent.ticker.scheduleAtFixedRate(
            agent::tick, 0, node.settings().sensors().tick().toMillis(), TimeUnit.MILLISECONDS);
    return agent;
  }

  private static CpuBandwidth quota(ColocatedNode node) throws IOException {
    CgroupHierarchy cpu =
        node.layout()
            .hierarchy(CgroupController.CPU)
            .orElseThrow(() -> new IOException("the cpu controller is not mounted"));
    return new CpuBandwidth(
        node.layout().classDirectory(cpu, ContainerClass.BEST_EFFORT), cpu.version());
  }

  private Map<Limit, Actuator> actuators() {
    Map<Limit, Actuator> actuators = new LinkedHashMap<>();
    actuators.put(Limit.MEMORY, memory);
    actuators.put(Limit.CPU_QUOTA, CfsQuota.actuator(quota));
    link.ifPresent(
        known ->
            actuators.put(
                Limit.TRAFFIC, mode.yieldsTraffic() ? known.givingWay() : known.shaper()));
    return actuators;
  }

  private List<MechanismRunner.Entry> mechanisms() {
    RegulatorSettings settings = node.settings().regulators();
    List<Mechanism> wanted = new ArrayList<>();
    if (mode.regulates(ColocationMode.Kind.MEMORY)) {
      wanted.add(new MemoryReserve(settings.memory().rule()));
    }
    if (mode.regulates(ColocationMode.Kind.CPU)) {
      HealthSignal signal = mode.healthSignal();
      reader.enableHealth(signal);
      wanted.add(
          new RegulatedLimit(
              CfsQuota.subject(signal, Limit.CPU_QUOTA, Optional.empty()),
              new CpuQuotaRegulator(settings.cpu().rule().with(signal.worse())),
              new Availability(reader.unavailable(signal))));
    }
    if (mode.regulates(ColocationMode.Kind.NETWORK) && link.isPresent()) {
      wanted.add(
          EgressLimit.of(
              mode.yieldsTraffic()
                  ? new SharedLinkRegulator()
                  : new NetworkRegulator(settings.network().rule()),
              Availability.available()));
    }
    Stream<MechanismRunner.Entry> regulators =
        wanted.stream()
            .map(mechanism -> new MechanismRunner.Entry(mechanism, RegulatorMode.ENFORCE));
    return Stream.concat(regulators, eviction.stream().flatMap(known -> known.entries().stream()))
        .toList();
  }

  /** Sets a static limit once, by the same actuators that the regulators use. */
  private void limit() throws IOException {
    double share = mode.percent() / 100.0;
    switch (mode.kind()) {
      case STATIC_QUOTA -> quota.limit(share * node.bestEffortCpus());
      case STATIC_MEMORY -> memory.limit(share * node.memoryCapacityBytes());
      case STATIC_RATE -> {
        ShapedLink limited = link.orElseThrow();
        limited.shaper().limit(share * limited.bytesPerSecond());
      }
      default -> {
        // No limit, or one that the regulators derive from their readings.
      }
    }
  }

  private synchronized void tick() {
    try {
      long nanos = System.nanoTime();
      long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      MemoryReading memoryNow = sensors.node().readUse();
      Map<String, Long> workingSets = sensors.workingSetBytes();
      int violations = 0;
      if (mode.isRegulated()) {
        runner.tick(snapshot(nanos, memoryNow));
        violations =
            (int)
                runner.states().stream()
                    .flatMap(state -> state.report().cause().stream())
                    .filter(cause -> VIOLATIONS.stream().map(Cause::text).anyMatch(cause::equals))
                    .count();
      }
      long used = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
      NodeMemory available = memoryNow.memory();
      tasks.tick(
          nanos,
          eviction.map(known -> known.forLaunches(available)).orElse(available),
          workingSets);
      count =
          new Count(count.cpuNanos() + used, count.violations() + violations, count.ticks() + 1);
    } catch (IOException e) {
      failure = Optional.of(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Snapshot snapshot(long nanos, MemoryReading memory) throws IOException {
    Stream<Reading> always =
        Stream.of(reader.read(nanos, Optional.of(memory)), tasks.reading(), tasks.lastKill());
    Stream<Reading> more =
        eviction.stream().flatMap(known -> known.readings(nanos, memory.memory()));
    return new Snapshot(nanos, Stream.concat(always, more).toArray(Reading[]::new));
  }

  @Override
  public synchronized Count count() throws IOException {
    if (failure.isPresent()) {
      throw new IOException(failure.get().getMessage(), failure.get());
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    ticker.shutdown();
    synchronized (this) {
      executor.close();
      quota.unlimit();
      memory.undo();
      if (mode.kind() == ColocationMode.Kind.STATIC_RATE) {
        link.orElseThrow().shaper().undo();
      }
      if (eviction.isPresent()) {
        eviction.get().close();
      }
      reader.close();
      if (network.isPresent()) {
        network.get().close();
      }
    }
  }
}
