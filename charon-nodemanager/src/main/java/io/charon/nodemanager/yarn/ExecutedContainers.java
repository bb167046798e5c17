/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.core.law.eviction.EvictionRule;
import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.agent.ContainerLifecycle;
import io.charon.nodemanager.container.LaunchPrefix;
import io.charon.nodemanager.mechanisms.kill.KillBookkeeper;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.exceptions.ConfigurationException;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor.Signal;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerDiagnosticsUpdateEvent;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerSignalContext;

/**
 * The steps that every executor of Charon takes at a container's start, signal, pause and end,
 * whichever of YARN's executors it extends. Without a node it does nothing. Thread-safe after
 * {@link #join}.
 */
final class ExecutedContainers {
  private static final int FIRST_SIGNAL_EXIT = 128;

  /**
   * For this exit code of a launch YARN keeps the status of the kill event; that of a recovered
   * container it always replaces by the exit code.
   */
  private static final int KILLED_AT_LAUNCH = ContainerExecutor.ExitCode.FORCE_KILLED.getExitCode();

  private final Map<String, Container> launching = new ConcurrentHashMap<>();

  /**
   * Recovered containers whose end is awaited. YARN reports an end also if the wait is interrupted.
   */
  private final Set<ContainerId> awaited = ConcurrentHashMap.newKeySet();

  private final Path procRoot;
  private Optional<CharonNode> node = Optional.empty();

  /**
   * Creates an instance without a node.
   *
   * @param procRoot where proc is mounted
   */
  ExecutedContainers(Path procRoot) {
    this.procRoot = procRoot;
  }

  /** Runs a container to its end, as YARN's executor does. */
  interface Launch {
    int run() throws IOException, ConfigurationException;
  }

  /** Waits for the end of a container that an earlier NodeManager started. */
  interface Reacquisition {
    int await() throws IOException, InterruptedException;
  }

  /** Sends a signal. */
  interface Signalling {
    boolean send() throws IOException;
  }

  /** Creates the node of this NodeManager; the node kills through the executor. */
  void join(Context context, ContainerExecutor executor, Configuration configuration) {
    YarnContainers containers =
        new YarnContainers(context, executor, configuration, this::killDiagnostics);
    node = CharonNodes.create(configuration, procRoot, containers).map(CharonNodes.Joined::node);
  }

  /**
   * Runs a container.
   *
   * @return its exit code; PREEMPTED if Charon or the kernel killed it and the settings say so
   */
  int launch(Container container, Launch launch) throws IOException, ConfigurationException {
    String containerId = container.getContainerId().toString();
    launching.put(containerId, container);
    try {
      return exitStatus(container, launch.run(), KILLED_AT_LAUNCH);
    } finally {
      launching.remove(containerId);
    }
  }

  /**
   * Waits for the end of a container that an earlier NodeManager started; otherwise like launch.
   */
  int reacquire(Container container, Reacquisition reacquisition)
      throws IOException, InterruptedException {
    node.ifPresent(agent -> reacquired(agent, container));
    int exitCode;
    try {
      exitCode = await(container.getContainerId(), reacquisition);
    } catch (InterruptedIOException e) {
      throw e; // this NodeManager stops, and the container has not ended, even if it was asked to
    } catch (IOException e) {
      // A kill of the whole cgroup includes the shell that would have recorded the exit code.
      if (killReason(container.getContainerId().toString()).isEmpty()) {
        throw e;
      }
      exitCode = ContainerExecutor.ExitCode.FORCE_KILLED.getExitCode();
    }
    return exitStatus(container, exitCode, ContainerExitStatus.PREEMPTED);
  }

  /**
   * Waits until a recovered container has ended. An interrupt means that this NodeManager stops:
   * the container runs on, and the next NodeManager recovers it.
   */
  private int await(ContainerId containerId, Reacquisition reacquisition)
      throws IOException, InterruptedException {
    awaited.add(containerId);
    boolean ended = true;
    try {
      return reacquisition.await();
    } catch (InterruptedException | InterruptedIOException e) {
      ended = false;
      throw e;
    } finally {
      awaited.remove(containerId);
      if (ended) {
        stopped(containerId);
      }
    }
  }

  /**
   * Handles a container that is about to start its process; {@link #stopped} must follow in any
   * case.
   *
   * @return the command that its process runs first; empty where Charon does not act
   */
  Optional<LaunchPrefix> starting(String containerId) {
    return node.flatMap(agent -> prefix(agent, launching.get(containerId), containerId));
  }

  /**
   * Sends a signal, and only then thaws the container, so that one to be ended does nothing before.
   */
  boolean signal(ContainerSignalContext context, Signalling signalling) throws IOException {
    Optional<ContainerLifecycle> told =
        context.getSignal() == Signal.KILL || context.getSignal() == Signal.TERM
            ? node.map(CharonNode::lifecycle)
            : Optional.empty();
    Container container = context.getContainer();
    if (container == null || told.isEmpty()) {
      return signalling.send();
    }
    String containerId = container.getContainerId().toString();
    told.get().signalling(containerId);
    try {
      return signalling.send();
    } finally {
      told.get().signalled(containerId);
    }
  }

  /**
   * Pauses a container that YARN pauses instead of preempting it, if {@code
   * yarn.nodemanager.opportunistic-containers-use-pause-for-preemption} is true.
   *
   * @return whether it is frozen; false if this node does not freeze containers
   * @throws UncheckedIOException if it cannot be frozen; YARN then kills it
   */
  boolean pause(Container container) {
    if (!canPause(container)) {
      return false;
    }
    try {
      node.get().paused(container.getContainerId().toString());
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Resumes a container that YARN paused.
   *
   * @return whether it continues; false if this node does not freeze containers
   * @throws UncheckedIOException if it cannot be thawed; YARN then kills it
   */
  boolean resume(Container container) {
    if (!canPause(container)) {
      return false;
    }
    try {
      node.get().resumed(container.getContainerId().toString());
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Handles the end of all processes that YARN knows of a container. That of a recovered one counts
   * only once YARN has returned from waiting for it.
   */
  void stopped(ContainerId containerId) {
    if (awaited.contains(containerId)) {
      return;
    }
    node.ifPresent(
        agent -> {
          try {
            agent.lifecycle().stopped(containerId.toString());
          } catch (RuntimeException | LinkageError e) {
            agent.tolerated("cleaning up after " + containerId, e);
          }
        });
  }

  /** Counts and logs a failure that must not make a container fail. */
  void countFailure(String what, Exception fault) {
    node.ifPresent(agent -> agent.tolerated(what, fault));
  }

  private boolean canPause(Container container) {
    return node.isPresent() && node.get().canPause(container.getContainerId().toString());
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

  /**
   * Returns PREEMPTED for a container that Charon or the kernel killed, so that it does not count
   * as failed.
   *
   * @param afterKillEvent what to return after a kill event with the status PREEMPTED
   */
  private int exitStatus(Container container, int exitCode, int afterKillEvent) {
    if (exitCode == 0) {
      return exitCode;
    }
    ContainerId containerId = container.getContainerId();
    Optional<String> killReason = killReason(containerId.toString());
    if (killReason.isEmpty()
        || (exitCode <= FIRST_SIGNAL_EXIT && !mayEndByItself(container, killReason.get()))) {
      return exitCode;
    }
    container.handle(
        new ContainerDiagnosticsUpdateEvent(containerId, diagnostics(killReason.get()) + "\n"));
    if (!node.orElseThrow().settings().killers().reportAsPreempted()) {
      return exitCode;
    }
    if (container.shouldRetry(ContainerExitStatus.PREEMPTED)) {
      // YARN restarts a container that wants retries here at once, unless it is being killed.
      container.sendKillEvent(ContainerExitStatus.PREEMPTED, diagnostics(killReason.get()));
      return afterKillEvent;
    }
    return ContainerExitStatus.PREEMPTED;
  }

  /**
   * Returns whether the kill may be the cause of any exit code: a container that was asked to end
   * chooses its own, and so does one of which Linux killed a process at best-effort's memory limit.
   */
  private boolean mayEndByItself(Container container, String killReason) {
    return isEviction(killReason)
        || (killReason.startsWith(KillBookkeeper.BY_LINUX)
            && node.orElseThrow().settings().limitsMemory()
            && !Containers.isGuaranteed(container));
  }

  private Optional<String> killDiagnostics(String containerId) {
    return killReason(containerId).map(ExecutedContainers::diagnostics);
  }

  private static String diagnostics(String killReason) {
    return (isEviction(killReason) || killReason.startsWith(KillBookkeeper.BY_STOP)
            ? "Killed by "
            : "Killed for memory by ")
        + killReason;
  }

  private static boolean isEviction(String killReason) {
    return killReason.startsWith(EvictionRule.REASON);
  }

  private Optional<String> killReason(String containerId) {
    return node.flatMap(agent -> agent.lifecycle().killReason(containerId));
  }
}
