/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.nodemanager.cgroup.ContainerClass;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The best-effort container of an episode. A container that was killed is started again after a
 * pause, as YARN does with a task, and the work that it had done counts. Only {@link #running} and
 * {@link #kill} may be called from other threads.
 */
final class BestEffortSide {
  /** Shortest time between the end of a container and the next start. */
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final int ENDED_BY_SIGKILL = 128 + 9;

  /** Is called for each container right after its first process was started. */
  @FunctionalInterface
  interface Starts {
    /** Handles the start of a container. */
    void started(InterferenceContainer container) throws IOException, InterruptedException;
  }

  private final InterferenceNode node;
  private final BestEffort kind;
  private final List<String> command;
  private final boolean idleDisk;
  private final BooleanSupplier mayStart;
  private final Starts starts;
  private volatile Optional<InterferenceContainer> running = Optional.empty();
  private long endedNanos;
  private long workOfEnded;
  private long lastWork;
  private long oomKillsOfEnded;

  /**
   * Creates a side whose container has not started.
   *
   * @param mayStart returns whether a container that was killed may be started again now
   * @param starts is called for each start
   */
  BestEffortSide(
      InterferenceNode node,
      BestEffort kind,
      List<String> command,
      boolean idleDisk,
      BooleanSupplier mayStart,
      Starts starts) {
    this.node = node;
    this.kind = kind;
    this.command = command;
    this.idleDisk = idleDisk;
    this.mayStart = mayStart;
    this.starts = starts;
  }

  void start() throws IOException, InterruptedException {
    InterferenceContainer container = node.start(ContainerClass.BEST_EFFORT, idleDisk, command);
    running = Optional.of(container);
    starts.started(container);
  }

  /** Returns the container that runs or was just killed; empty between two containers. */
  Optional<InterferenceContainer> running() {
    return running;
  }

  /**
   * Records the work done so far, removes a container that was killed, and starts it again after
   * the pause; the caller calls it several times a second.
   *
   * @throws IOException if the program has ended by itself, or cannot be started
   */
  void sample() throws IOException, InterruptedException {
    if (running.isPresent()) {
      lastWork = Math.max(lastWork, workOf(running.get()));
      if (!running.get().process().isAlive()) {
        int code = running.get().process().exitValue();
        if (code != ENDED_BY_SIGKILL) {
          throw new IOException("the best-effort program has ended with exit code " + code);
        }
        endedNanos = System.nanoTime();
        remove();
      }
    } else if (System.nanoTime() - endedNanos > PAUSE_NANOS && mayStart.getAsBoolean()) {
      start();
    }
  }

  private long workOf(InterferenceContainer container) {
    return switch (kind.work()) {
      case TOUCHES -> container.progress().operations();
      case LINES -> container.progress().lines();
      case BYTES -> container.transferredBytes();
    };
  }

  private void remove() throws IOException, InterruptedException {
    InterferenceContainer container = running.orElseThrow();
    oomKillsOfEnded += container.oomKills();
    workOfEnded += lastWork;
    lastWork = 0;
    running = Optional.empty();
    container.end();
  }

  /** Returns the work done since the first start, in the unit of {@link BestEffort#work}. */
  long work() {
    return workOfEnded + lastWork;
  }

  /** Returns the number of its processes that Linux's OOM killer ended. */
  long oomKills() {
    return oomKillsOfEnded + running.map(InterferenceContainer::oomKills).orElse(0L);
  }

  /** Kills a container if it is the one that runs. */
  void kill(String id) {
    running().filter(container -> container.id().equals(id)).ifPresent(InterferenceContainer::kill);
  }

  /** Ends and removes the container, if there is one. */
  void end() throws IOException, InterruptedException {
    if (running.isPresent()) {
      remove();
    }
  }
}
