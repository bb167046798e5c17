/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.core.law.Cause;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.nodemanager.config.SettingsReader;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.report.status.RegulatorDocument;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Runs the background under the agent as it ships, configured by the keys of a mode. The agent
 * decides about launches, limits and evictions as in a NodeManager.
 */
final class ShippedAgent implements AutoCloseable, ColocatedTasks.Launcher {
  /**
   * Counts since the start.
   *
   * @param cpuNanos CPU time of the ticks
   * @param violations violations that regulators found, at most one per regulator and tick
   */
  record Count(long cpuNanos, int violations) {
    static final Count NONE = new Count(0, 0);
  }

  private static final int VCORES = 1;

  /**
   * Causes that count as violations: the foreground exceeded its reserve, or its CPU signal got
   * worse.
   */
  private static final Set<String> VIOLATIONS = Set.of(Cause.VIOLATION.text(), Cause.WORSE.text());

  private final ColocationMode mode;
  private final ColocatedTasks tasks;
  private final ShippedNode node;
  private final FixedLimit limit;
  private final ExecutorService launches = Executors.newSingleThreadExecutor();
  private Count count = Count.NONE;
  private Optional<IOException> failure = Optional.empty();

  private ShippedAgent(
      ColocationMode mode, ColocatedTasks tasks, ShippedNode node, FixedLimit limit) {
    this.mode = mode;
    this.tasks = tasks;
    this.node = node;
    this.limit = limit;
  }

  /**
   * Starts the agent, which starts the containers at its ticks.
   *
   * @param mode a mode with background
   * @param tasks the node's best-effort containers, which wait; the caller must end them after this
   * @param audit directory for the agent's actions; empty for none
   * @throws IOException if the agent cannot be configured like this
   */
  static ShippedAgent start(
      Scenario scenario, ColocationMode mode, ColocatedTasks tasks, Optional<Path> audit)
      throws IOException {
    Map<String, String> keys = new HashMap<>(scenario.machineKeys(mode));
    audit.ifPresent(
        directory ->
            keys.put(SettingsReader.AUDIT_DIRECTORY, directory.toAbsolutePath().toString()));
    keys.putAll(mode.keys());
    ShippedNode node = new ShippedNode(scenario.node(), keys, scenario.surroundings(), tasks);
    ShippedAgent agent =
        new ShippedAgent(mode, tasks, node, new FixedLimit(mode, scenario.node(), scenario.link()));
    tasks.launchBy(agent);
    node.agent().signals().onTick(agent::ticked);
    try {
      node.agent().start();
      agent.limit.set();
    } catch (IOException e) {
      agent.close();
      throw e;
    }
    return agent;
  }

  private void requireAvailable() throws IOException {
    for (RegulatorDocument one : regulators()) {
      if (mode.mechanisms().contains(one.name()) && Boolean.FALSE.equals(one.available())) {
        throw new IOException(one.name() + " cannot work here: " + one.unavailable());
      }
    }
  }

  private List<RegulatorDocument> regulators() {
    return node.agent().status().mechanisms().regulators();
  }

  /** Counts a tick, on its thread, and lets the containers start that may start after it. */
  private synchronized void ticked() {
    count =
        new Count(
            ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime(), count.violations());
    // A launch may wait for a sample of the node, which the thread of the ticks takes.
    launches.execute(this::follow);
  }

  private void follow() {
    try {
      countViolations();
      tasks.follow();
    } catch (IOException e) {
      failed(e);
    } catch (RuntimeException e) {
      failed(new IOException("a launch failed unexpectedly: " + e, e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void countViolations() {
    long found =
        regulators().stream()
            .map(RegulatorDocument::cause)
            .filter(Objects::nonNull)
            .filter(VIOLATIONS::contains)
            .count();
    synchronized (this) {
      count = new Count(count.cpuNanos(), count.violations() + (int) found);
    }
  }

  private synchronized void failed(IOException e) {
    failure = Optional.of(e);
  }

  @Override
  public Optional<ColocatedContainer> launch(
      LaunchRequest request, long runningBytes, List<String> command) throws IOException {
    if (!limit.admits(runningBytes + request.requestedBytes())) {
      return Optional.empty();
    }
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
  public void ended(String id) {
    node.ended(id);
  }

  /**
   * Returns the counts so far.
   *
   * @throws IOException if a launch failed, or if a mechanism of the mode cannot work here, which
   *     is known only after some ticks; the message says why
   */
  synchronized Count count() throws IOException {
    requireAvailable();
    if (failure.isPresent()) {
      throw new IOException(failure.get().getMessage(), failure.get());
    }
    return count;
  }

  /** Stops the agent and removes every limit. */
  @Override
  public void close() throws IOException {
    node.close();
    launches.shutdown();
    limit.close();
  }
}
