/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.core.law.MemoryRegulator;
import io.charon.core.law.NetworkRegulator;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.SharedLinkRegulator;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CpusetWriter;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.NetworkLimit;
import io.charon.nodemanager.config.NetworkSettings;
import io.charon.nodemanager.config.RegulatorSettings;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.execution.NodeRegulator;
import io.charon.nodemanager.execution.Regulation;
import io.charon.nodemanager.execution.Resource;
import io.charon.nodemanager.execution.Unavailable;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.mechanisms.cfsquota.CpuRegulation;
import io.charon.nodemanager.mechanisms.cpuset.CoresRegulation;
import io.charon.nodemanager.mechanisms.memorylimit.MemoryBound;
import io.charon.nodemanager.mechanisms.network.TrafficShaper;
import io.charon.nodemanager.network.NetworkDevice;
import io.charon.nodemanager.report.audit.AuditLog;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import io.charon.nodemanager.report.status.RegulatorGauges;
import io.charon.nodemanager.sensor.MemoryReading;
import io.charon.nodemanager.sensor.NetworkSensor;
import io.charon.nodemanager.sensor.NodeSides;
import io.charon.nodemanager.sensor.NodeSnapshot;
import io.charon.nodemanager.sensor.NodeSnapshotReader;
import io.charon.nodemanager.sensor.ResourceUse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The regulators of a NodeManager's node, put together as the operator wants them: what they see,
 * what they decide by, and what they act on.
 */
public final class NodeRegulation implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeRegulation.class);
  private static final String NO_DEVICE =
      "this machine has no IPv4 default route: set yarn.nodemanager.charon.regulator.network-device";

  /** How long a tick waits for the helper (ours): a process starts late on a busy machine. */
  private static final Duration HELPER_PATIENCE = Duration.ofSeconds(2);

  private final NodeSnapshotReader reader;
  private final Optional<NetworkSensor> traffic;
  private final Regulation regulation;
  private final NodeMetrics metrics;
  private volatile Optional<NodeSnapshot> last = Optional.empty();

  private NodeRegulation(
      NodeSnapshotReader reader,
      Optional<NetworkSensor> traffic,
      Regulation regulation,
      NodeMetrics metrics) {
    this.reader = reader;
    this.traffic = traffic;
    this.regulation = regulation;
    this.metrics = metrics;
  }

  /**
   * Puts the regulators together; nothing on the machine is touched yet.
   *
   * @param settings what the operator wants
   * @param procRoot where proc is mounted
   * @param sysRoot where sysfs is mounted
   * @param layout the containers' cgroups, if they have any
   * @param cpusets gives those their cores
   * @param bestEffortBytes working set of all best-effort containers, where they have none
   * @param memory bounds the memory of best-effort
   * @param audit takes what is done, if anybody wants it
   * @param metrics shows what is decided
   */
  static NodeRegulation of(
      CharonSettings settings,
      Path procRoot,
      Path sysRoot,
      Optional<CgroupLayout> layout,
      Optional<CpusetWriter> cpusets,
      LongSupplier bestEffortBytes,
      MemoryBound memory,
      Optional<AuditLog> audit,
      NodeMetrics metrics) {
    RegulatorSettings wanted = settings.regulators();
    Helper helper = new Helper(List.of(wanted.helper().toString()), HELPER_PATIENCE);
    NetworkSettings network = wanted.networkDevice();
    Optional<NetworkDevice> device =
        network
            .device()
            .map(name -> new NetworkDevice(sysRoot, name))
            .or(() -> NetworkDevice.ofDefaultRoute(procRoot, sysRoot));
    Optional<NetworkSensor> traffic =
        device.map(known -> new NetworkSensor(known, network.linkBytesPerSecond()));
    NodeSnapshotReader reader =
        layout
            .map(
                cgroups ->
                    NodeSnapshotReader.of(
                        NodeSides.of(cgroups, wanted.foregroundCgroups()),
                        procRoot,
                        helper,
                        traffic
                            .<LongFunction<ResourceUse>>map(sensor -> sensor::read)
                            .orElse(nanos -> ResourceUse.missing(NO_DEVICE))))
            .orElseGet(() -> NodeSnapshotReader.withoutCgroups(procRoot, bestEffortBytes));
    List<NodeRegulator> regulators =
        List.of(
            new NodeRegulator(
                Resource.memory(),
                wanted.memoryMode(),
                new MemoryRegulator(wanted.memory()),
                memory,
                Optional.empty()),
            CpuRegulation.of(wanted, reader, layout, procRoot),
            CoresRegulation.of(wanted, settings.cpuSplit(), reader, cpusets),
            network(wanted, helper, device, layout));
    regulators.stream()
        .filter(regulator -> regulator.mode() != RegulatorMode.OFF)
        .forEach(regulator -> RegulatorGauges.show(regulator, metrics));
    return new NodeRegulation(
        reader,
        traffic,
        new Regulation(regulators, audit, metrics.toleratedFailures(), Clock.systemUTC()),
        metrics);
  }

  private static NodeRegulator network(
      RegulatorSettings wanted,
      Helper helper,
      Optional<NetworkDevice> device,
      Optional<CgroupLayout> layout) {
    Optional<String> blind =
        layout.isEmpty()
            ? Optional.of(CgroupLayout.NONE)
            : Optional.of(NO_DEVICE).filter(reason -> device.isEmpty());
    boolean givesWay = wanted.networkDevice().limit() == NetworkLimit.GIVE_WAY;
    return new NodeRegulator(
        Resource.network(),
        wanted.networkMode(),
        givesWay ? new SharedLinkRegulator() : new NetworkRegulator(wanted.network()),
        blind
            .<Actuator>map(Unavailable::new)
            .orElseGet(
                () ->
                    new TrafficShaper(
                        helper,
                        device.orElseThrow(),
                        TrafficShaper.bestEffortIn(layout.orElseThrow()),
                        givesWay)),
        blind);
  }

  /** Takes away what an earlier life left behind. */
  void start() {
    regulation.start();
  }

  /** A tick read the node's memory, or could not. */
  void tick(long nanos, Optional<MemoryReading> memory) {
    NodeSnapshot snapshot = reader.read(nanos, memory);
    regulation.tick(snapshot);
    last = Optional.of(snapshot);
  }

  /** What was seen at the last tick. */
  Optional<NodeSnapshot> snapshot() {
    return last;
  }

  /** What every regulator shows. */
  List<NodeRegulator.State> states() {
    return regulation.states();
  }

  @Override
  public void close() {
    regulation.close();
    states().forEach(state -> metrics.forgetRegulator(state.resource().name()));
    try {
      reader.close();
      if (traffic.isPresent()) {
        traffic.get().close();
      }
    } catch (IOException e) {
      LOG.debug("a sensor's file was not closed", e);
    }
  }
}
