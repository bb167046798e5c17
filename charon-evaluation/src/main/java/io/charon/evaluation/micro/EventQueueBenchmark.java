/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.micro;

import io.charon.sls.engine.EventPhase;
import io.charon.sls.engine.EventQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The event queue: one event runs and schedules another, while the others wait. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EventQueueBenchmark {
  private static final long FARTHEST_NANOS = 60_000_000_000L;

  /** Number of waiting events. */
  @Param({"1000", "100000"})
  public int waiting;

  private final SplittableRandom random = new SplittableRandom(1);
  private EventQueue queue;

  /** Fills the queue. */
  @Setup
  public void fill() {
    queue = new EventQueue();
    for (int i = 0; i < waiting; i++) {
      plan();
    }
  }

  /** Runs one event. */
  @Benchmark
  public boolean event() {
    return queue.runNext(Long.MAX_VALUE);
  }

  private void plan() {
    queue.schedule(
        queue.nowNanos() + random.nextLong(FARTHEST_NANOS), EventPhase.WORLD, this::plan);
  }
}
