/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.nodemanager.config.LinuxIsolation;
import io.charon.nodemanager.container.LaunchPrefix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.exceptions.ConfigurationException;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainerLaunch;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerReacquisitionContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerSignalContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;

/**
 * YARN's LinuxContainerExecutor, which runs containers as their own users. Each container is in
 * Charon's cgroups before its process switches to the user, or in those of YARN or Docker if {@link
 * LinuxIsolation} finds that these create them. {@code container-executor} moves the process, or
 * where it refuses to, the NodeManager's user does before that program is started. A container
 * inherits its OOM score and I/O class from {@code container-executor}, which is started with them.
 * Loaded by {@code yarn.nodemanager.container-executor.class}. Without a node it behaves as YARN's.
 */
public class CharonLinuxContainerExecutor extends LinuxContainerExecutor {
  private static final String SCRIPT = ContainerLaunch.CONTAINER_SCRIPT;

  private final ExecutedContainers containers;
  private final Map<ContainerId, StartOptions> startOptions = new ConcurrentHashMap<>();

  /** Containers that have started and not ended; YARN's cgroup setup may fail in between. */
  private final Set<ContainerId> open = ConcurrentHashMap.newKeySet();

  /**
   * Containers by launching thread: YARN asks for a command prefix without naming the container.
   */
  private final Map<Thread, ContainerId> launchers = new ConcurrentHashMap<>();

  /** Whether the program has refused files that exist; then it is told none any more. */
  private volatile boolean programRefusesCgroups;

  /**
   * The way in which a container starts.
   *
   * @param prefix the complete prefix, with the container's cgroups
   * @param resourcesOption the cgroups that the program is told; none if the prefix enters them
   */
  private record StartOptions(Optional<LaunchPrefix> prefix, String resourcesOption) {
    boolean programEnters() {
      return !resourcesOption.equals(ResourcesOption.NONE);
    }

    Optional<LaunchPrefix> command() {
      return programEnters() ? prefix.map(LaunchPrefix::withoutCgroups) : prefix;
    }

    StartOptions withoutProgram() {
      return new StartOptions(prefix, ResourcesOption.NONE);
    }

    boolean cgroupsExist() {
      return prefix.stream()
          .flatMap(given -> given.cgroupProcs().stream())
          .allMatch(file -> Files.isDirectory(file.getParent()));
    }
  }

  /** Creates the executor; called by YARN. */
  public CharonLinuxContainerExecutor() {
    this(Path.of("/proc"));
  }

  CharonLinuxContainerExecutor(Path procRoot) {
    this.containers = new ExecutedContainers(procRoot);
  }

  /**
   * Sets Charon's resources handler, which YARN creates in this method and calls at every launch.
   */
  @Override
  public void setConf(Configuration configuration) {
    LinuxIsolation.installHandler(configuration);
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
    return launch(context, () -> super.launchContainer(context));
  }

  @Override
  public int relaunchContainer(ContainerStartContext context)
      throws IOException, ConfigurationException {
    return launch(context, () -> super.relaunchContainer(context));
  }

  private int launch(ContainerStartContext context, ExecutedContainers.Launch launch)
      throws IOException, ConfigurationException {
    ContainerId containerId = context.getContainer().getContainerId();
    launchers.put(Thread.currentThread(), containerId);
    try {
      return containers.launch(context.getContainer(), () -> run(context, launch));
    } finally {
      launchers.remove(Thread.currentThread());
      startOptions.remove(containerId);
    }
  }

  private int run(ContainerStartContext context, ExecutedContainers.Launch launch)
      throws IOException, ConfigurationException {
    ContainerId containerId = context.getContainer().getContainerId();
    try {
      int exitCode = launch.run();
      return cgroupsRefused(context, exitCode) ? again(containerId, launch) : exitCode;
    } finally {
      if (open.contains(containerId)) {
        stopped(containerId);
      }
    }
  }

  /**
   * Returns whether container-executor failed to move the process into its cgroups. A user's
   * program may exit with the same code, but only after its script was placed in its directory.
   */
  private boolean cgroupsRefused(ContainerStartContext context, int exitCode) {
    StartOptions birth = startOptions.get(context.getContainer().getContainerId());
    return exitCode == ExitCode.WRITE_CGROUP_FAILED.getExitCode()
        && birth != null
        && birth.programEnters()
        && Files.notExists(Path.of(context.getContainerWorkDir().toUri().getPath(), SCRIPT));
  }

  /**
   * Starts a container whose cgroups were refused. Its first process tries to enter them before it
   * becomes the program, as with YARN's default executor: a program before Hadoop 3.5 refuses every
   * file of cgroup v2, because it knows version 1 only.
   */
  private int again(ContainerId containerId, ExecutedContainers.Launch launch)
      throws IOException, ConfigurationException {
    StartOptions refused = startOptions.get(containerId);
    boolean refusesAll = refused.cgroupsExist();
    if (refusesAll) {
      programRefusesCgroups = true;
    }
    containers.countFailure(
        "starting " + containerId + " in its cgroups",
        new IOException(
            "container-executor refused %s; %s enter their cgroups before it is started"
                .formatted(
                    refused.resourcesOption(),
                    refusesAll ? "from now on, containers" : "its processes")));
    startOptions.put(containerId, refused.withoutProgram());
    return launch.run();
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

  /** Adds the command prefix. YARN also calls this for the localizer, which is not a container. */
  @Override
  protected void addSchedPriorityCommand(List<String> command) {
    Optional.ofNullable(launchers.get(Thread.currentThread()))
        .map(startOptions::get)
        .flatMap(StartOptions::command)
        .ifPresent(prefix -> command.addAll(List.of(prefix.command())));
    super.addSchedPriorityCommand(command);
  }

  /**
   * Handles a container that is about to start, for the first time or again after it was refused.
   */
  void starting(ContainerId containerId) {
    open.add(containerId);
    // Not computeIfAbsent(): it would make other containers wait, production included, while this
    // one is prepared, which may take a second. The calls for one container follow one another.
    if (!startOptions.containsKey(containerId)) {
      startOptions.put(containerId, birth(containerId));
    }
  }

  private StartOptions birth(ContainerId containerId) {
    StartOptions byItself =
        new StartOptions(containers.starting(containerId.toString()), ResourcesOption.NONE);
    if (programRefusesCgroups) {
      return byItself;
    }
    try {
      List<Path> cgroupProcs = byItself.prefix().map(LaunchPrefix::cgroupProcs).orElse(List.of());
      return new StartOptions(byItself.prefix(), ResourcesOption.of(cgroupProcs));
    } catch (IllegalArgumentException e) {
      containers.countFailure("passing to container-executor the cgroups of " + containerId, e);
      return byItself;
    }
  }

  /** Returns the option that names the cgroups in which a container starts. */
  String resourcesOption(ContainerId containerId) {
    return startOptions.get(containerId).resourcesOption();
  }

  /**
   * Handles the end of a container that was launched or reacquired. One whose cgroups may have been
   * refused keeps them for its second start.
   */
  void ended(ContainerId containerId) {
    StartOptions options = startOptions.get(containerId);
    if (options == null || !options.programEnters()) {
      stopped(containerId);
    }
  }

  private void stopped(ContainerId containerId) {
    open.remove(containerId);
    containers.stopped(containerId);
  }
}
