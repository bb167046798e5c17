/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import com.codahale.metrics.Timer;
import io.charon.nodemanager.fault.GuardedParts;
import io.charon.web.threads.DaemonThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs the steps of the tick once per period, on one thread. A failing step does not prevent the
 * others from running. A watchdog detects a tick that hangs.
 */
final class Ticker implements AutoCloseable {
  /** Longest time that closing waits for a running tick (our choice). */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  /**
   * One step of a tick.
   *
   * @param name name of the step in the log
   * @param atOnce whether the step also runs between two ticks, when a sample is requested at once
   * @param work the work of the step; may throw any exception
   */
  record Step(String name, boolean atOnce, Runnable work) {
    /** Creates a step that runs in every tick. */
    static Step of(String name, Runnable work) {
      return new Step(name, false, work);
    }

    /** Creates a step that runs in every tick and in every sample between ticks. */
    static Step alsoAtOnce(String name, Runnable work) {
      return new Step(name, true, work);
    }
  }

  private final Duration period;
  private final Timer time;
  private final GuardedParts parts;
  private final TickWatchdog watchdog;
  private final List<Step> steps;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("charon-tick"));
  private CompletableFuture<Void> nextSample = CompletableFuture.completedFuture(null);
  private boolean sampleQueued;

  /**
   * Creates a ticker; nothing runs before {@link #start}.
   *
   * @param period time between the end of a tick and the start of the next one
   * @param time records the duration of each tick
   * @param parts isolate failures of the steps
   * @param watchdog notified of each complete tick; started and closed with this
   * @param steps the steps in order
   */
  Ticker(Duration period, Timer time, GuardedParts parts, TickWatchdog watchdog, List<Step> steps) {
    this.period = period;
    this.time = time;
    this.parts = parts;
    this.watchdog = watchdog;
    this.steps = List.copyOf(steps);
  }

  /** Starts the ticks. */
  void start() {
    watchdog.start();
    // No tick throws, so the future holds no information.
    var unused =
        thread.scheduleWithFixedDelay(
            () -> parts.run("a tick", this::tick), 0, period.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Runs one tick; visible for tests. */
  void tick() {
    time.time(() -> steps.forEach(this::run));
    watchdog.completed();
  }

  /**
   * Requests a sample of the node without waiting for the next tick, for use where memory must be
   * reclaimed soon. Never blocks.
   *
   * @return completes after a sample that began after this call
   */
  synchronized CompletableFuture<Void> requestSample() {
    if (!sampleQueued && !thread.isShutdown()) {
      sampleQueued = true;
      nextSample = CompletableFuture.runAsync(this::sample, thread);
    }
    return nextSample;
  }

  private void sample() {
    synchronized (this) {
      sampleQueued = false;
    }
    steps.stream().filter(Step::atOnce).forEach(this::run);
  }

  private void run(Step step) {
    parts.run(step.name(), step.work());
  }

  /** Waits for a running tick, so that no limit is set after limits were removed. */
  @Override
  public void close() {
    watchdog.close();
    boolean unused = DaemonThreads.end(thread, CLOSE_TIMEOUT);
  }
}
