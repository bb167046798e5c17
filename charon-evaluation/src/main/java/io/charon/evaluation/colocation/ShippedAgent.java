/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.core.scheduler.LaunchRequest;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.report.status.RegulatorDocument;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Runs the background under the agent as it ships, configured by the keys of a mode. The agent
 * decides about launches, limits and evictions as in a NodeManager.
 */
final class ShippedAgent implements RunningAgent, ColocatedTasks.Launcher {
  private static final int VCORES = 1;

  private final ColocationMode mode;
  private final ColocatedTasks tasks;
  private final ShippedNode node;
  private final ExecutorService launches = Executors.newSingleThreadExecutor();
  private Count count = Count.NONE;
  private Optional<IOException> failure = Optional.empty();

  private ShippedAgent(
      ColocatedNode place, ColocationMode mode, Map<String, String> keys, ColocatedTasks tasks)
      throws IOException {
    this.mode = mode;
    this.tasks = tasks;
    this.node = new ShippedNode(place, keys, tasks);
  }

  /**
   * Starts the agent, which starts the containers at its ticks.
   *
   * @param mode a mode with keys
   * @param machine values of keys that depend on this machine; the mode's precede them
   * @param tasks the node's best-effort containers, which wait; the caller must end them after this
   * @param audit directory for the agent's actions; empty for none
   * @throws IOException if the agent cannot be configured like this
   */
  static ShippedAgent start(
      ColocatedNode place,
      ColocationMode mode,
      Map<String, String> machine,
      ColocatedTasks tasks,
      Optional<Path> audit)
      throws IOException {
    Map<String, String> keys = new HashMap<>(machine);
    audit.ifPresent(
        directory -> keys.put("audit.directory", directory.toAbsolutePath().toString()));
    keys.putAll(mode.keys());
    ShippedAgent agent = new ShippedAgent(place, mode, keys, tasks);
    tasks.launchBy(agent);
    agent.node.agent().signals().onTick(agent::ticked);
    agent.node.agent().start();
    return agent;
  }

  private void requireAvailable() throws IOException {
    for (RegulatorDocument one : node.agent().status().mechanisms().regulators()) {
      if (mode.turnsOn(one.name()) && Boolean.FALSE.equals(one.available())) {
        throw new IOException(one.name() + " cannot work here: " + one.unavailable());
      }
    }
  }

  /** Counts a tick, on its thread, and lets the containers start that may start after it. */
  private synchronized void ticked() {
    count =
        new Count(
            ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime(), 0, count.ticks() + 1);
    // A launch may wait for a sample of the node, which the thread of the ticks takes.
    launches.execute(this::follow);
  }

  private void follow() {
    try {
      tasks.follow();
    } catch (IOException e) {
      failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void failed(IOException e) {
    failure = Optional.of(e);
  }

  @Override
  public Optional<ColocatedContainer> launch(LaunchRequest request, List<String> command)
      throws IOException {
    return node.launch(
        new ContainerInfo(
            request.containerId(),
            request.owner(),
            request.executionType(),
            false,
            request.job(),
            request.requestedBytes(),
            VCORES),
        command);
  }

  @Override
  public void ended(String id, long peakBytes) {
    node.ended(id);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IOException also if a mechanism of the mode cannot work here, which is known only after
   *     some ticks; the message says why
   */
  @Override
  public synchronized Count count() throws IOException {
    requireAvailable();
    if (failure.isPresent()) {
      throw new IOException(failure.get().getMessage(), failure.get());
    }
    return count;
  }

  @Override
  public void close() {
    node.close();
    launches.shutdown();
  }
}
