/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import io.charon.evaluation.cluster.CharonConfiguration;
import io.charon.evaluation.cluster.KernelProtection;
import io.charon.nodemanager.cgroup.NodeCgroupPath;
import io.charon.nodemanager.config.KernelKillerSettings;
import io.charon.nodemanager.config.SettingsReader;
import io.charon.nodemanager.yarn.CharonAuxiliaryService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.metrics.NodeManagerMetrics;

/** Creates the nodes that start containers, each configured as an operator would configure it. */
final class LaunchNodeFactory {
  /** User that exists on every system and should own none of its files. */
  private static final String OTHER_USER = "nobody";

  private final Path directory;
  private final Path program;
  private final String cgroupPath;
  private final Optional<KernelProtection> kernelKiller;

  /** Metrics of all nodes, because a process can register them only once. */
  private final NodeManagerMetrics metrics = NodeManagerMetrics.create();

  /**
   * Creates the factory without any node.
   *
   * @param directory directory for the nodes' files, which every user may enter
   * @param program setuid program by which LinuxContainerExecutor becomes another user
   * @param cgroupPath path of Charon's node below the mount points
   * @param kernelKiller killer with which Charon's node registers containers
   */
  LaunchNodeFactory(
      Path directory, Path program, String cgroupPath, Optional<KernelProtection> kernelKiller) {
    this.directory = directory;
    this.program = program;
    this.cgroupPath = cgroupPath;
    this.kernelKiller = kernelKiller;
  }

  /** Returns a node with YARN's executor. */
  LaunchNode stock(LaunchExecutor executor) throws IOException {
    return node(executor, "stock", executor.stock(), Optional.empty(), base(executor));
  }

  /** Returns a node with Charon's executor; only one may exist at the same time. */
  LaunchNode charon(LaunchExecutor executor) throws IOException {
    Configuration configuration = base(executor);
    charonProperties().forEach(configuration::set);
    ContainerExecutor charon = executor.charon();
    configuration.set(YarnConfiguration.NM_CONTAINER_EXECUTOR, charon.getClass().getName());
    return node(
        executor, "charon", charon, Optional.of(new CharonAuxiliaryService()), configuration);
  }

  private LaunchNode node(
      LaunchExecutor executor,
      String name,
      ContainerExecutor starts,
      Optional<CharonAuxiliaryService> charon,
      Configuration configuration)
      throws IOException {
    String user = executor == LaunchExecutor.LINUX ? OTHER_USER : System.getProperty("user.name");
    Path own = Files.createDirectory(directory.resolve(executor.label() + "-" + name));
    return new LaunchNode(starts, charon, configuration, metrics, user, own);
  }

  private Configuration base(LaunchExecutor executor) {
    Configuration configuration = new YarnConfiguration();
    // YARN would keep a metrics source for each container until minutes after its end.
    configuration.setBoolean(YarnConfiguration.NM_CONTAINER_METRICS_ENABLE, false);
    if (executor == LaunchExecutor.LINUX) {
      configuration.set(YarnConfiguration.NM_LINUX_CONTAINER_EXECUTOR_PATH, program.toString());
      configuration.set(YarnConfiguration.NM_NONSECURE_MODE_LOCAL_USER_KEY, OTHER_USER);
    }
    return configuration;
  }

  private Map<String, String> charonProperties() {
    Map<String, String> properties = new HashMap<>(CharonConfiguration.nodeManager("enforce"));
    properties.put("yarn.nodemanager.aux-services", "charon");
    properties.put(YarnConfiguration.NM_OPPORTUNISTIC_CONTAINERS_MAX_QUEUE_LENGTH, "5");
    properties.put(NodeCgroupPath.KEY, cgroupPath);
    properties.put(SettingsReader.MEMORY_BOUNDARY, "cgroup");
    // There is no ResourceManager to ask.
    properties.put(SettingsReader.STOP_PERIOD, "0");
    properties.put(KernelKillerSettings.ENABLED, Boolean.toString(kernelKiller.isPresent()));
    kernelKiller.map(KernelProtection::nodeManagerProperties).ifPresent(properties::putAll);
    return properties;
  }
}
