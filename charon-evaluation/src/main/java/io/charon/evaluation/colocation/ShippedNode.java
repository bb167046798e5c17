/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.agent.Surroundings;
import io.charon.nodemanager.agent.YarnSide;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.config.RegulatorKeys;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.mechanisms.launch.ApplicationDirectory;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The agent of a NodeManager without YARN: it works on the cgroups of a {@link ColocatedNode}, and
 * its containers are programs of a benchmark.
 */
final class ShippedNode implements YarnSide, AutoCloseable {
  private static final ApplicationDirectory NO_APPLICATIONS =
      new ApplicationDirectory() {
        @Override
        public Optional<Entry> find(String applicationId) {
          return Optional.empty();
        }

        @Override
        public void close() {}
      };

  private final ColocatedNode place;
  private final ContainerControl.Killer killer;
  private final CharonNode agent;
  private final Map<String, Process> running = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * Creates the agent; nothing runs before {@link CharonNode#start}.
   *
   * @param place the node's cgroups and configuration
   * @param keys values of further keys
   * @param surroundings the machine, with the sysfs in which the node's network devices are
   * @param killer ends containers for the agent
   * @throws IOException if a key or a value is not valid
   */
  ShippedNode(
      ColocatedNode place,
      Map<String, String> keys,
      Surroundings surroundings,
      ContainerControl.Killer killer)
      throws IOException {
    this.place = place;
    this.killer = killer;
    // The machine's other programs, such as the benchmark's clients, do not belong to the node.
    Map<String, String> all = new HashMap<>(keys);
    all.put(RegulatorKeys.FOREGROUND_CGROUPS, place.layout().classPath(ContainerClass.PRODUCTION));
    this.agent = new CharonNode(place.settings(all), surroundings, this);
  }

  CharonNode agent() {
    return agent;
  }

  /**
   * Starts a program in a container of its own, a best-effort one only if the agent allows it now.
   *
   * @return empty if the container has to wait
   */
  Optional<ColocatedContainer> launch(ContainerInfo container, List<String> command)
      throws IOException {
    if (container.executionType() == ExecutionType.OPPORTUNISTIC
        && agent.gate().orElseThrow().request(container.launchRequest()).outcome()
            != LaunchDecision.Outcome.LAUNCHED) {
      return Optional.empty();
    }
    List<String> whole =
        new ArrayList<>(List.of(agent.lifecycle().starting(container).orElseThrow().command()));
    whole.addAll(command);
    Process process =
        new ProcessBuilder(whole)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.INHERIT)
            .start();
    running.put(container.containerId(), process);
    return Optional.of(new ColocatedContainer(container.containerId(), process, place.writer()));
  }

  /** Tells the agent that a container has ended; one that outlives the agent is not reported. */
  void ended(String containerId) {
    running.remove(containerId);
    if (!closed) {
      agent.lifecycle().stopped(containerId);
      agent.lifecycle().ended(containerId, ContainerEnd.OTHER);
    }
  }

  @Override
  public Map<String, Long> rootProcesses() {
    return running.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().pid()));
  }

  @Override
  public List<ContainerInfo> waiting() {
    return List.of();
  }

  @Override
  public Phase phase(String containerId) {
    Process process = running.get(containerId);
    return process != null && process.isAlive() ? Phase.RUNNING : Phase.ENDING;
  }

  @Override
  public ApplicationDirectory applications() {
    return NO_APPLICATIONS;
  }

  @Override
  public void kill(String containerId) throws IOException {
    killer.kill(containerId);
  }

  @Override
  public void terminate(String containerId) throws IOException {
    killer.terminate(containerId);
  }

  /** Stops the agent and removes its limits; the containers continue. */
  @Override
  public void close() {
    closed = true;
    agent.close();
  }
}
