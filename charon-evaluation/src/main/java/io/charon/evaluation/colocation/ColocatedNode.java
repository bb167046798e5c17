/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.core.mechanism.ResourceUse;
import io.charon.evaluation.cluster.NodeCgroups;
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.NativeTools;
import io.charon.nodemanager.agent.MechanismList;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupException;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuSplit;
import io.charon.nodemanager.cgroup.NodeCgroupPath;
import io.charon.nodemanager.config.CgroupKeys;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.EvictionSettings;
import io.charon.nodemanager.config.RegulatorKeys;
import io.charon.nodemanager.config.SettingsException;
import io.charon.nodemanager.config.SettingsReader;
import io.charon.nodemanager.container.LaunchPrefix;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.sensor.NodeSides;
import io.charon.nodemanager.sensor.NodeSnapshotReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongFunction;
import org.apache.hadoop.conf.Configuration;

/**
 * The cgroups of a node as Charon creates them, without YARN: production containers, and
 * best-effort containers below a parent that gets only CPU time that nothing else wants. Without
 * further limits, it is a Charon node without regulators.
 */
final class ColocatedNode {
  private static final Path PROC = Path.of("/proc");
  private static final long MEMORY_BYTES = 1L << 30;

  /** Keys of the windows that one option sets. */
  private static final List<String> WINDOWS =
      List.of(
          RegulatorKeys.MEMORY_WINDOW,
          RegulatorKeys.CPU_WINDOW,
          RegulatorKeys.NETWORK_WINDOW,
          EvictionSettings.SATISFACTION_WINDOW);

  private static final int CPU_WEIGHT_PROCESSES = 100;
  private static final Duration HELPER_TIMEOUT = Duration.ofSeconds(2);
  private static final int NO_SCORE = 0;

  private final Configuration configuration;
  private final CharonSettings settings;
  private final CgroupLayout layout;
  private final CgroupWriter writer;
  private final int bestEffortCpus;
  private long capacityBytes;
  private int containers;

  private ColocatedNode(
      Configuration configuration,
      CharonSettings settings,
      CgroupLayout layout,
      CgroupWriter writer,
      int bestEffortCpus) {
    this.configuration = configuration;
    this.settings = settings;
    this.layout = layout;
    this.writer = writer;
    this.bestEffortCpus = bestEffortCpus;
  }

  /**
   * Creates the cgroups.
   *
   * @param name name of the node on this machine
   * @param cpus CPUs of each class
   * @param bestEffortCpus number of best-effort CPUs
   * @param window window of all regulators; empty for their defaults
   * @param tools native programs, one of which is the regulators' helper
   * @param cleanup receives the action that removes the cgroups with all processes inside
   * @throws IOException if the cgroups cannot be created
   */
  static ColocatedNode create(
      String name,
      CpuSplit cpus,
      int bestEffortCpus,
      Optional<Duration> window,
      NativeTools tools,
      Cleanup cleanup)
      throws IOException {
    String path = "/" + name;
    try {
      Configuration configuration = configuration(path, cpus, window, tools);
      CharonSettings settings = SettingsReader.read(configuration, MechanismList.keys());
      CgroupLayout layout = CgroupLayout.detect(PROC, path);
      CgroupWriter writer = new CgroupWriter(layout, Optional.of(cpus));
      NodeCgroups all = NodeCgroups.require(PROC);
      cleanup.add(() -> all.remove(path));
      writer.prepareNode();
      // By default, a group weighs as much as one process outside of it, which is too little for a
      // node.
      all.setCpuWeight(path, CPU_WEIGHT_PROCESSES);
      ColocatedNode node =
          new ColocatedNode(configuration, settings, layout, writer, bestEffortCpus);
      node.resize(MEMORY_BYTES);
      return node;
    } catch (CgroupException | SettingsException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Changes the memory of the whole node; Linux reserves none of it. */
  void resize(long bytes) throws IOException {
    Files.writeString(
        CgroupFile.MEMORY_LIMIT.path(layout.nodeDirectory(layout.memory()), layout.version()),
        Long.toString(bytes));
    capacityBytes = bytes;
  }

  /** Returns the configuration of a NodeManager of this node. */
  private static Configuration configuration(
      String path, CpuSplit cpus, Optional<Duration> window, NativeTools tools) {
    Configuration configuration = new Configuration(false);
    configuration.set("yarn.nodemanager.opportunistic-containers-max-queue-length", "5");
    configuration.set(SettingsReader.MODE, "enforce");
    configuration.set(NodeCgroupPath.KEY, path);
    configuration.set(CgroupKeys.PRODUCTION_CPUS, cpus.productionCpus());
    configuration.set(CgroupKeys.BEST_EFFORT_CPUS, cpus.bestEffortCpus());
    configuration.set(SettingsReader.MEMORY_BOUNDARY, "cgroup");
    configuration.set(RegulatorKeys.HELPER, tools.killer().toString());
    window.ifPresent(
        length -> WINDOWS.forEach(key -> configuration.setLong(key, length.toMillis())));
    return configuration;
  }

  /**
   * Makes the CPUs that both classes share the capacity of the node.
   *
   * @param cpus the CPUs of both classes, in the kernel's list format
   * @throws IOException if the node's cgroup cannot be confined to them
   */
  void confine(String cpus) throws IOException {
    CgroupHierarchy cpuset =
        layout
            .hierarchy(CgroupController.CPUSET)
            .orElseThrow(() -> new IOException("the cpuset controller is not mounted"));
    Files.writeString(
        CgroupFile.CPUSET_CPUS.path(layout.nodeDirectory(cpuset), cpuset.version()), cpus);
  }

  /**
   * Returns these settings with other values of some keys.
   *
   * @param keys values by key
   * @throws IOException if a key or a value is not valid
   */
  CharonSettings settings(Map<String, String> keys) throws IOException {
    Configuration changed = new Configuration(configuration);
    keys.forEach(changed::set);
    try {
      return SettingsReader.read(changed, MechanismList.keys());
    } catch (SettingsException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * Returns the reader from which the regulators get their readings.
   *
   * @param network reads the traffic of both sides at an instant
   */
  NodeSnapshotReader reader(LongFunction<ResourceUse> network) {
    return NodeSnapshotReader.of(
        NodeSides.of(layout, settings.regulators().foregroundCgroups()),
        PROC,
        new Helper(List.of(settings.regulators().helper().toString()), HELPER_TIMEOUT),
        network);
  }

  /** Returns the number of CPUs on which best-effort may run. */
  int bestEffortCpus() {
    return bestEffortCpus;
  }

  CgroupLayout layout() {
    return layout;
  }

  /** Returns the writer of the containers' cgroups. */
  CgroupWriter writer() {
    return writer;
  }

  /** Returns the memory of the whole node, in bytes. */
  long memoryCapacityBytes() {
    return capacityBytes;
  }

  /** Returns the memory that the whole node uses, including page cache, in bytes. */
  long memoryBytes() throws IOException {
    return Long.parseLong(
        Files.readString(
                CgroupFile.MEMORY_USAGE.path(
                    layout.nodeDirectory(layout.memory()), layout.version()))
            .strip());
  }

  /**
   * Starts a program in a container of its own.
   *
   * @param output destination of its standard output
   * @return the container
   */
  ColocatedContainer start(
      ContainerClass containerClass, Redirect output, Redirect errors, List<String> command)
      throws IOException {
    containers++;
    String id = "container_" + containers;
    try {
      List<Path> joins = writer.createContainer(id, containerClass, OptionalInt.empty());
      List<String> whole =
          new ArrayList<>(List.of(new LaunchPrefix(NO_SCORE, joins, List.of()).command()));
      whole.addAll(command);
      return new ColocatedContainer(
          id,
          new ProcessBuilder(whole).redirectOutput(output).redirectError(errors).start(),
          writer);
    } catch (CgroupException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
