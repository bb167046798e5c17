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
 * The best-effort container of an episode. One that was killed is started again after a while, as
 * YARN does with a task; what it had done counts. For one thread, but {@link #running} and {@link
 * #kill} are for all.
 */
final class BestEffortSide {
  /** From its end to the next start, where somebody may start. */
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final int ENDED_BY_SIGKILL = 128 + 9;

  /** Hears of each container before it does anything. */
  @FunctionalInterface
  interface Starts {
    /** A container was started. */
    void started(NodeContainer container) throws IOException, InterruptedException;
  }

  private final InterferenceNode node;
  private final BestEffort kind;
  private final List<String> command;
  private final boolean idleDisk;
  private final BooleanSupplier mayStart;
  private final Starts starts;
  private volatile Optional<NodeContainer> running = Optional.empty();
  private long endedNanos;
  private long workOfEnded;
  private long lastWork;
  private long oomKillsOfEnded;

  /**
   * One that has not started.
   *
   * @param mayStart whether a container that was killed may start again now
   * @param starts hears of each start
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
    NodeContainer container = node.start(ContainerClass.BEST_EFFORT, idleDisk, command);
    running = Optional.of(container);
    starts.started(container);
  }

  /** The container that runs, or was just killed; empty between two. */
  Optional<NodeContainer> running() {
    return running;
  }

  /**
   * Notes how far it is, removes what was killed, and starts it again; to be called often.
   *
   * @throws IOException if it has ended by itself, or cannot start
   */
  void look() throws IOException, InterruptedException {
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

  private long workOf(NodeContainer container) {
    return switch (kind.work()) {
      case TOUCHES -> container.progress().operations();
      case LINES -> container.progress().lines();
      case BYTES -> container.transferredBytes();
    };
  }

  private void remove() throws IOException, InterruptedException {
    NodeContainer container = running.orElseThrow();
    oomKillsOfEnded += container.oomKills();
    workOfEnded += lastWork;
    lastWork = 0;
    running = Optional.empty();
    container.end();
  }

  /** What it has done since the first start. */
  long work() {
    return workOfEnded + lastWork;
  }

  /** Processes of it that Linux's OOM killer ended. */
  long oomKills() {
    return oomKillsOfEnded + running.map(NodeContainer::oomKills).orElse(0L);
  }

  /** Kills a container, if it runs. */
  void kill(String id) {
    running().filter(container -> container.id().equals(id)).ifPresent(NodeContainer::kill);
  }

  /** Ends it; nothing is left. */
  void end() throws IOException, InterruptedException {
    if (running.isPresent()) {
      remove();
    }
  }
}
