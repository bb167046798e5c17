/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.container.LaunchPrefix;
import io.charon.nodemanager.mechanisms.kill.MemoryKills;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.Shell.CommandExecutor;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.exceptions.ConfigurationException;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerDiagnosticsUpdateEvent;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerReacquisitionContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerSignalContext;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;

/**
 * YARN's default executor, which starts every container in a cgroup of its own with its OOM score
 * where Charon acts, and says of a container killed for memory that it was. Loaded by {@code
 * yarn.nodemanager.container-executor.class}. Without a node it is the default executor.
 */
public class CharonContainerExecutor extends DefaultContainerExecutor {
  private static final int FIRST_SIGNAL_EXIT = 128;

  private final Map<String, Container> launching = new ConcurrentHashMap<>();
  private final java.nio.file.Path procRoot;
  private Optional<CharonNode> node = Optional.empty();

  /** Called by YARN. */
  public CharonContainerExecutor() {
    this(java.nio.file.Path.of("/proc"));
  }

  CharonContainerExecutor(java.nio.file.Path procRoot) {
    this.procRoot = procRoot;
  }

  @Override
  public void init(Context context) throws IOException {
    super.init(context);
    node =
        CharonNodes.create(getConf(), procRoot, new YarnContainers(context, this, getConf()))
            .map(CharonNodes.Joined::node);
  }

  @Override
  public int launchContainer(ContainerStartContext context)
      throws IOException, ConfigurationException {
    Container container = context.getContainer();
    String containerId = container.getContainerId().toString();
    launching.put(containerId, container);
    try {
      return exitStatus(container, super.launchContainer(context));
    } finally {
      launching.remove(containerId);
    }
  }

  @Override
  public int reacquireContainer(ContainerReacquisitionContext context)
      throws IOException, InterruptedException {
    Container container = context.getContainer();
    node.ifPresent(agent -> reacquired(agent, container));
    int exitCode;
    try {
      exitCode = super.reacquireContainer(context);
    } catch (IOException e) {
      // Who kills a whole cgroup kills the shell, too, that would have written the exit code down.
      if (killReason(container).isEmpty()) {
        throw e;
      }
      exitCode = ExitCode.FORCE_KILLED.getExitCode();
    }
    return exitStatus(container, exitCode);
  }

  /**
   * The last step before the container's process starts, and the first after which YARN calls
   * {@link #postComplete} whatever happens.
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
    Optional<LaunchPrefix> prefix =
        node.flatMap(agent -> prefix(agent, launching.get(containerId), containerId));
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

  /** First the signal, then the thaw: whoever must die does nothing else before. */
  @Override
  public boolean signalContainer(ContainerSignalContext context) throws IOException {
    try {
      return super.signalContainer(context);
    } finally {
      Container container = context.getContainer();
      if (container != null
          && (context.getSignal() == Signal.KILL || context.getSignal() == Signal.TERM)) {
        node.ifPresent(agent -> agent.lifecycle().signalled(container.getContainerId().toString()));
      }
    }
  }

  /**
   * YARN pauses a container in place of preempting it, where {@code
   * yarn.nodemanager.opportunistic-containers-use-pause-for-preemption} is true.
   *
   * @throws UncheckedIOException if it cannot be frozen; YARN kills it then
   */
  @Override
  public void pauseContainer(Container container) {
    if (!canPause(container)) {
      super.pauseContainer(container);
      return;
    }
    try {
      node.get().paused(container.getContainerId().toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * YARN resumes a container that it paused.
   *
   * @throws UncheckedIOException if that cannot be; YARN kills it then
   */
  @Override
  public void resumeContainer(Container container) {
    if (!canPause(container)) {
      super.resumeContainer(container);
      return;
    }
    try {
      node.get().resumed(container.getContainerId().toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean canPause(Container container) {
    return node.isPresent() && node.get().canPause(container.getContainerId().toString());
  }

  @Override
  public void postComplete(ContainerId containerId) {
    super.postComplete(containerId);
    node.ifPresent(
        agent -> {
          try {
            agent.lifecycle().stopped(containerId.toString());
          } catch (RuntimeException | LinkageError e) {
            agent.tolerated("cleaning up after " + containerId, e);
          }
        });
  }

  private static void reacquired(CharonNode agent, Container container) {
    try {
      agent.lifecycle().reacquired(Containers.info(container));
    } catch (RuntimeException | LinkageError e) {
      agent.tolerated("watching " + container.getContainerId() + " again", e);
    }
  }

  private static Optional<LaunchPrefix> prefix(
      CharonNode agent, Container container, String containerId) {
    try {
      return agent.lifecycle().starting(Containers.info(container));
    } catch (RuntimeException | LinkageError e) {
      agent.tolerated("preparing " + containerId, e);
      return Optional.empty();
    }
  }

  /** PREEMPTED for a container that was killed for memory, so that it does not count as failed. */
  private int exitStatus(Container container, int exitCode) {
    if (exitCode <= FIRST_SIGNAL_EXIT) {
      return exitCode;
    }
    ContainerId containerId = container.getContainerId();
    Optional<String> killReason = killReason(container);
    if (killReason.isEmpty()) {
      return exitCode;
    }
    container.handle(
        new ContainerDiagnosticsUpdateEvent(
            containerId,
            (killReason.get().startsWith(MemoryKills.BY_STOP)
                    ? "Killed by "
                    : "Killed for memory by ")
                + killReason.get()
                + "\n"));
    return node.orElseThrow().settings().reportAsPreempted()
        ? ContainerExitStatus.PREEMPTED
        : exitCode;
  }

  private Optional<String> killReason(Container container) {
    return node.flatMap(
        agent -> agent.lifecycle().killReason(container.getContainerId().toString()));
  }

  private static String[] concatenate(String[] first, String[] second) {
    String[] both = new String[first.length + second.length];
    System.arraycopy(first, 0, both, 0, first.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
