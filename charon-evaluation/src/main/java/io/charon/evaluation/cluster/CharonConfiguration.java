/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import io.charon.nodemanager.cgroup.NodeCgroupPath;
import io.charon.nodemanager.config.CgroupKeys;
import io.charon.nodemanager.config.RegulatorKeys;
import io.charon.nodemanager.config.SchedulerKeys;
import io.charon.nodemanager.config.SettingsReader;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The properties that add Charon to stock daemons: those that an administrator writes into {@code
 * yarn-site.xml}.
 */
public final class CharonConfiguration {
  private static final String NODE_MANAGER = "yarn.nodemanager.";

  private CharonConfiguration() {}

  /**
   * Returns properties of a NodeManager.
   *
   * @param mode value of {@code yarn.nodemanager.charon.mode}: {@code enforce}, {@code threshold}
   *     or {@code off}
   */
  public static Map<String, String> nodeManager(String mode) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(NODE_MANAGER + "aux-services", "mapreduce_shuffle,charon");
    properties.put(
        NODE_MANAGER + "aux-services.charon.class",
        "io.charon.nodemanager.yarn.CharonAuxiliaryService");
    properties.put(
        NODE_MANAGER + "containers-launcher.class",
        "io.charon.nodemanager.yarn.CharonContainersLauncher");
    properties.put(
        NODE_MANAGER + "container-executor.class",
        "io.charon.nodemanager.yarn.CharonContainerExecutor");
    if (!mode.equals("off")) {
      properties.put(
          NODE_MANAGER + "container-monitor.process-tree.class",
          "io.charon.nodemanager.yarn.CgroupProcessTree");
    }
    properties.put(SettingsReader.MODE, mode);
    properties.put(SettingsReader.FAIL_FAST, "true");
    // Whatever else runs on this machine, such as a build, would keep best-effort from starting.
    properties.put(SchedulerKeys.RUNNABLE_PER_CORE, "0");
    return properties;
  }

  /**
   * Returns properties of a NodeManager whose containers get the same cgroups in every mode, so
   * that runs in different modes differ only in decisions.
   */
  public static Map<String, String> cgroupsInEveryMode() {
    return Map.of(CgroupKeys.EVERY_MODE, "true");
  }

  /**
   * Returns properties of a NodeManager whose regulators of memory and CPU time are enforced.
   *
   * @param window how long each regulator observes production before it decides; at least 1 s and
   *     five ticks
   */
  public static Map<String, String> regulators(Duration window) {
    String millis = Long.toString(window.toMillis());
    return Map.of(
        RegulatorKeys.MEMORY_MODE,
        "enforce",
        RegulatorKeys.MEMORY_WINDOW,
        millis,
        RegulatorKeys.CPU_MODE,
        "enforce",
        RegulatorKeys.CPU_WINDOW,
        millis);
  }

  /**
   * Returns properties of daemons that show their state as web pages: a NodeManager below {@code
   * /charon/}, the ResourceManager below {@code /charon/cluster/}.
   */
  public static Map<String, String> pages() {
    return Map.of(
        "hadoop.http.filter.initializers",
        "org.apache.hadoop.http.lib.StaticUserWebFilter,"
            + "io.charon.nodemanager.yarn.NodePagesInitializer,"
            + "io.charon.scheduler.resourcemanager.ClusterPageInitializer");
  }

  /**
   * Returns properties that define the memory boundary of a NodeManager's node.
   *
   * @param cgroupPath the cgroup that represents the node; empty for the whole machine without
   *     cgroups
   */
  static Map<String, String> node(Optional<String> cgroupPath) {
    return cgroupPath
        .map(path -> Map.of(NodeCgroupPath.KEY, path, SettingsReader.MEMORY_BOUNDARY, "cgroup"))
        .orElseGet(
            () -> Map.of(CgroupKeys.ENABLED, "false", SettingsReader.MEMORY_BOUNDARY, "host"));
  }

  /**
   * Returns properties of a ResourceManager that turns the tasks of unmodified applications into
   * best-effort containers.
   *
   * @param bestEffortQueues names of the queues whose applications are best-effort
   */
  public static Map<String, String> resourceManager(List<String> bestEffortQueues) {
    return Map.of(
        "yarn.resourcemanager.application-master-service.processors",
        "io.charon.scheduler.resourcemanager.BestEffortProcessor",
        "yarn.resourcemanager.charon.best-effort.enabled",
        "true",
        "yarn.resourcemanager.charon.best-effort.queues",
        String.join(",", bestEffortQueues));
  }
}
