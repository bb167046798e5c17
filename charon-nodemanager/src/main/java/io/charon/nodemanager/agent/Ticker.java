/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import com.codahale.metrics.Timer;
import io.charon.nodemanager.fault.GuardedParts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The tick: goes through its steps once per period, on one thread. Each step is guarded by itself:
 * what one cannot do, the others do nevertheless. A watchdog notices a tick that hangs.
 */
final class Ticker implements AutoCloseable {
  /** How long the end of the node waits for a tick that runs (ours). */
  private static final Duration LAST_TICK = Duration.ofSeconds(3);

  /**
   * One step of a tick.
   *
   * @param name what the log says of it if it fails
   * @param atOnce whether it is also done between two ticks, where nobody can wait for the next one
   * @param work may throw whatever it likes
   */
  record Step(String name, boolean atOnce, Runnable work) {
    /** A step of every tick. */
    static Step of(String name, Runnable work) {
      return new Step(name, false, work);
    }

    /** A step of every tick, and of those between. */
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
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread ticks = new Thread(task, "charon-tick");
            ticks.setDaemon(true);
            return ticks;
          });
  private CompletableFuture<Void> soon = CompletableFuture.completedFuture(null);
  private boolean looksSoon;

  /**
   * Nothing runs before {@link #start}.
   *
   * @param period between the end of a tick and the next one
   * @param time takes how long a tick takes
   * @param parts guards the steps
   * @param watchdog told of each tick that is complete; started and closed with this
   * @param steps in the order in which they are done
   */
  Ticker(Duration period, Timer time, GuardedParts parts, TickWatchdog watchdog, List<Step> steps) {
    this.period = period;
    this.time = time;
    this.parts = parts;
    this.watchdog = watchdog;
    this.steps = List.copyOf(steps);
  }

  /** Ticks from now on. */
  void start() {
    watchdog.start();
    // No tick throws, so there is nothing to learn from the future.
    var unused =
        thread.scheduleWithFixedDelay(
            () -> parts.run("a tick", this::tick), 0, period.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** One tick; visible for tests. */
  void tick() {
    time.time(() -> steps.forEach(this::run));
    watchdog.completed();
  }

  /**
   * Where memory is to be taken back nobody waits for the next tick. Never blocks.
   *
   * @return done once somebody has looked who began to after this was called
   */
  synchronized CompletableFuture<Void> lookAtOnce() {
    if (!looksSoon && !thread.isShutdown()) {
      looksSoon = true;
      soon = CompletableFuture.runAsync(this::look, thread);
    }
    return soon;
  }

  private void look() {
    synchronized (this) {
      looksSoon = false;
    }
    steps.stream().filter(Step::atOnce).forEach(this::run);
  }

  private void run(Step step) {
    parts.run(step.name(), step.work());
  }

  /** A tick that runs ends first, so that nothing is set after it was taken away. */
  @Override
  public void close() {
    watchdog.close();
    thread.shutdown();
    try {
      if (!thread.awaitTermination(LAST_TICK.toMillis(), TimeUnit.MILLISECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
