/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.nodemanager.container.LaunchPrefix;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.exceptions.ConfigurationException;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerReacquisitionContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerSignalContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;

/**
 * YARN's LinuxContainerExecutor, whose containers run as their own users, with every container in
 * cgroups of Charon's from before it becomes its user. Its score and I/O class it inherits from
 * {@code container-executor}, which is started with them. Loaded by {@code
 * yarn.nodemanager.container-executor.class}. Without a node, and where {@link LinuxIsolation}
 * finds that others make the cgroups, it is YARN's.
 */
public class CharonLinuxContainerExecutor extends LinuxContainerExecutor {
  private final ExecutedContainers containers;
  private final Map<ContainerId, String> options = new ConcurrentHashMap<>();

  /** By the thread that launches the container: YARN asks for it without saying for whom. */
  private final Map<Thread, LaunchPrefix> prefixes = new ConcurrentHashMap<>();

  /** Called by YARN. */
  public CharonLinuxContainerExecutor() {
    this(Path.of("/proc"));
  }

  CharonLinuxContainerExecutor(Path procRoot) {
    this.containers = new ExecutedContainers(procRoot);
  }

  /** YARN makes the handler meanwhile, and asks it at every launch. */
  @Override
  public void setConf(Configuration configuration) {
    LinuxIsolation.handOver(configuration);
    super.setConf(configuration);
  }

  @Override
  public void init(Context context) throws IOException {
    super.init(context);
    containers.join(context, this, getConf());
  }

  @Override
  public int launchContainer(ContainerStartContext context)
      throws IOException, ConfigurationException {
    return containers.launch(context.getContainer(), () -> super.launchContainer(context));
  }

  @Override
  public int relaunchContainer(ContainerStartContext context)
      throws IOException, ConfigurationException {
    return containers.launch(context.getContainer(), () -> super.relaunchContainer(context));
  }

  @Override
  public int reacquireContainer(ContainerReacquisitionContext context)
      throws IOException, InterruptedException {
    return containers.reacquire(context.getContainer(), () -> super.reacquireContainer(context));
  }

  @Override
  public boolean signalContainer(ContainerSignalContext context) throws IOException {
    return containers.signal(context, () -> super.signalContainer(context));
  }

  @Override
  public void pauseContainer(Container container) {
    if (!containers.pause(container)) {
      super.pauseContainer(container);
    }
  }

  @Override
  public void resumeContainer(Container container) {
    if (!containers.resume(container)) {
      super.resumeContainer(container);
    }
  }

  /** Also called for what localizes a container's files, which is no container. */
  @Override
  protected void addSchedPriorityCommand(List<String> command) {
    LaunchPrefix prefix = prefixes.get(Thread.currentThread());
    if (prefix != null) {
      command.addAll(List.of(prefix.command()));
    }
    super.addSchedPriorityCommand(command);
  }

  /** A container is about to start, in this thread. */
  void starting(ContainerId containerId) {
    Optional<LaunchPrefix> prefix = containers.starting(containerId.toString());
    prefix
        .map(LaunchPrefix::withoutCgroups)
        .ifPresent(own -> prefixes.put(Thread.currentThread(), own));
    options.put(
        containerId,
        containers.orElse(
            "telling container-executor the cgroups of " + containerId,
            ResourcesOption.NONE,
            () -> ResourcesOption.of(prefix.map(LaunchPrefix::cgroupProcs).orElse(List.of()))));
  }

  /** In which cgroups it is born. */
  String resourcesOption(ContainerId containerId) {
    return options.getOrDefault(containerId, ResourcesOption.NONE);
  }

  /** A container has ended, in the thread that launched or reacquired it. */
  void ended(ContainerId containerId) {
    prefixes.remove(Thread.currentThread());
    options.remove(containerId);
    containers.stopped(containerId);
  }
}
