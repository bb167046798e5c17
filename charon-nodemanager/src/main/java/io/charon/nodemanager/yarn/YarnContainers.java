/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.core.scheduler.ContainerEnd;
import io.charon.nodemanager.agent.YarnSide;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.mechanisms.launch.ApplicationDirectory;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerSignalContext;

/**
 * Gives access to the NodeManager's containers by id: their properties, their end, and signals; and
 * to the ResourceManager for their applications.
 */
final class YarnContainers implements YarnSide {
  private final Context context;
  private final ContainerExecutor executor;
  private final Configuration configuration;
  private final Function<String, Optional<String>> killDiagnostics;

  /**
   * Creates the access.
   *
   * @param killDiagnostics the diagnostics of a container that is being killed, by its id; empty if
   *     the reason is not known
   */
  YarnContainers(
      Context context,
      ContainerExecutor executor,
      Configuration configuration,
      Function<String, Optional<String>> killDiagnostics) {
    this.context = context;
    this.executor = executor;
    this.configuration = configuration;
    this.killDiagnostics = killDiagnostics;
  }

  /** Sends SIGKILL like YARN: to the container's session, by a forked command. */
  @Override
  public void kill(String containerId) throws IOException {
    end(containerId, ContainerExecutor.Signal.KILL);
  }

  @Override
  public void terminate(String containerId) throws IOException {
    end(containerId, ContainerExecutor.Signal.TERM);
  }

  private void end(String containerId, ContainerExecutor.Signal signal) throws IOException {
    Container container = context.getContainers().get(ContainerId.fromString(containerId));
    if (container == null) {
      return;
    }
    if (Containers.isGuaranteed(container)) {
      throw new IOException(containerId + " was promoted to production a moment ago");
    }
    String processId = executor.getProcessId(container.getContainerId());
    if (processId == null && container.isRecovering()) {
      // YARN would report its end at once, and its processes would live on.
      throw new IOException(containerId + " is being recovered: its processes are not known yet");
    }
    if (processId == null) {
      container.sendKillEvent(
          ContainerExitStatus.PREEMPTED,
          killDiagnostics.apply(containerId).orElse("Killed by Charon") + " (while starting)");
      return;
    }
    executor.signalContainer(
        new ContainerSignalContext.Builder()
            .setContainer(container)
            .setUser(container.getUser())
            .setPid(processId)
            .setSignal(signal)
            .build());
  }

  /**
   * Returns how a finished container ended.
   *
   * @param killedForMemory whether Charon or the kernel killed it for memory
   */
  ContainerEnd howEnded(ContainerId containerId, boolean killedForMemory) {
    Container container = context.getContainers().get(containerId);
    if (container == null) {
      return killedForMemory ? ContainerEnd.KILLED_FOR_MEMORY : ContainerEnd.OTHER;
    }
    ContainerStatus status = container.cloneAndGetContainerStatus();
    if (killedForMemory && status.getExitStatus() != ContainerExitStatus.SUCCESS) {
      return ContainerEnd.KILLED_FOR_MEMORY;
    }
    return switch (status.getExitStatus()) {
      case ContainerExitStatus.SUCCESS -> ContainerEnd.COMPLETED;
      case ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER ->
          ContainerEnd.ofSchedulerKill(status.getDiagnostics());
      default -> ContainerEnd.OTHER;
    };
  }

  /** Returns whether a container is known and OPPORTUNISTIC. */
  boolean isBestEffort(ContainerId containerId) {
    Container container = context.getContainers().get(containerId);
    return container != null && !Containers.isGuaranteed(container);
  }

  /** Returns whether a container is known and is an ApplicationMaster. */
  boolean isMaster(ContainerId containerId) {
    Container container = context.getContainers().get(containerId);
    return container != null && Containers.isMaster(container);
  }

  @Override
  public Phase phase(String containerId) {
    Container container = context.getContainers().get(ContainerId.fromString(containerId));
    if (container == null) {
      return Phase.ENDING;
    }
    return switch (container.getContainerState()) {
      case NEW, LOCALIZING, SCHEDULED, RELAUNCHING, REINITIALIZING, REINITIALIZING_AWAITING_KILL ->
          Phase.STARTING;
      case RUNNING, RESUMING -> Phase.RUNNING;
      case PAUSING, PAUSED -> Phase.PAUSED;
      default -> Phase.ENDING;
    };
  }

  /**
   * Returns the best-effort containers that YARN may start and has not, in the order of their
   * arrival on the node, which a restart keeps.
   */
  @Override
  public List<ContainerInfo> waiting() {
    return context.getContainers().values().stream()
        .filter(container -> container.getContainerState() == ContainerState.SCHEDULED)
        .filter(container -> !Containers.isGuaranteed(container))
        .sorted(
            Comparator.comparingLong(Container::getContainerStartTime)
                .thenComparing(Container::getContainerId))
        .map(Containers::info)
        .toList();
  }

  @Override
  public Map<String, Long> rootProcesses() {
    Map<String, Long> processes = new HashMap<>();
    for (ContainerId containerId : context.getContainers().keySet()) {
      String processId = executor.getProcessId(containerId);
      if (processId != null && processId.chars().allMatch(Character::isDigit)) {
        processes.put(containerId.toString(), Long.parseLong(processId));
      }
    }
    return processes;
  }

  @Override
  public ApplicationDirectory applications() {
    return new ResourceManagerDirectory(configuration);
  }
}
