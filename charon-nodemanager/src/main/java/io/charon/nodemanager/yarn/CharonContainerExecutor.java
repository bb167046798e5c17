/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.nodemanager.container.LaunchPrefix;
import java.io.File;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.Shell.CommandExecutor;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.exceptions.ConfigurationException;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerReacquisitionContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerSignalContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;

/**
 * YARN's default executor, extended: where Charon acts, it starts every container in its own cgroup
 * and with its OOM score, and it reports containers that were killed for memory as such. Loaded by
 * {@code yarn.nodemanager.container-executor.class}. Without a node it is the default executor.
 */
public class CharonContainerExecutor extends DefaultContainerExecutor {
  private final ExecutedContainers containers;

  /** Creates the executor; called by YARN. */
  public CharonContainerExecutor() {
    this(java.nio.file.Path.of("/proc"));
  }

  CharonContainerExecutor(java.nio.file.Path procRoot) {
    this.containers = new ExecutedContainers(procRoot);
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
  public int reacquireContainer(ContainerReacquisitionContext context)
      throws IOException, InterruptedException {
    return containers.reacquire(context.getContainer(), () -> super.reacquireContainer(context));
  }

  /**
   * Places the container. This is the last step before its process starts, and the first one after
   * which YARN always calls {@link #postComplete}.
   */
  @Override
  protected CommandExecutor buildCommandExecutor(
      String wrapperScript,
      String containerId,
      String user,
      Path pidFile,
      Resource resource,
      File workDir,
      Map<String, String> environment,
      String[] prefixCommands) {
    Optional<LaunchPrefix> prefix = containers.starting(containerId);
    return super.buildCommandExecutor(
        wrapperScript,
        containerId,
        user,
        pidFile,
        resource,
        workDir,
        environment,
        prefix.map(first -> concatenate(first.command(), prefixCommands)).orElse(prefixCommands));
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

  @Override
  public void postComplete(ContainerId containerId) {
    super.postComplete(containerId);
    containers.stopped(containerId);
  }

  private static String[] concatenate(String[] first, String[] second) {
    String[] both = new String[first.length + second.length];
    System.arraycopy(first, 0, both, 0, first.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
