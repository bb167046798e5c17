/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import io.charon.nodemanager.sensor.PoolSensor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** Looks at the pool ten times a second while the applications work. */
final class PoolWatch {
  private static final long SAMPLE_NANOS = 100_000_000;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Five periods of 100 ms in a row (SoCC'22, U_max). */
  private static final int SAMPLES_OF_HIGHEST = 5;

  private record Sample(long nanos, double usedSeconds) {}

  private final PoolSensor sensor;
  private final Set<String> ids;
  private final List<Sample> samples = new ArrayList<>();
  private Map<String, PoolSensor.Container> before = Map.of();
  private Map<String, PoolSensor.Container> after = Map.of();

  /**
   * Nothing is seen yet.
   *
   * @param ids of the applications
   */
  PoolWatch(PoolSensor sensor, Set<String> ids) {
    this.sensor = sensor;
    this.ids = ids;
  }

  /**
   * Watches, on the caller's thread.
   *
   * @param fromNanos from when on it counts, by {@link System#nanoTime}
   * @param untilNanos when it ends
   * @param agent ticks meanwhile, also before; empty for none
   * @throws IOException if the pool cannot be read
   */
  void watch(long fromNanos, long untilNanos, Optional<PoolAgent> agent)
      throws IOException, InterruptedException {
    for (long now = System.nanoTime(); now < untilNanos; now = System.nanoTime()) {
      agent.ifPresent(known -> known.tick(System.nanoTime()));
      if (now >= fromNanos) {
        if (samples.isEmpty()) {
          before = sensor.read(ids).containers();
        }
        sample();
      }
      LockSupport.parkNanos(SAMPLE_NANOS - (System.nanoTime() - now));
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
    sample();
    after = sensor.read(ids).containers();
  }

  private void sample() throws IOException {
    samples.add(new Sample(System.nanoTime(), sensor.usedSeconds()));
  }

  /** Mean use while it counted, processors. */
  double meanCores() {
    return cores(samples.get(0), samples.get(samples.size() - 1));
  }

  /** Highest mean over half a second; that of all where it was shorter. */
  double highestCores() {
    double highest = samples.size() > SAMPLES_OF_HIGHEST ? 0 : meanCores();
    for (int i = SAMPLES_OF_HIGHEST; i < samples.size(); i++) {
      highest = Math.max(highest, cores(samples.get(i - SAMPLES_OF_HIGHEST), samples.get(i)));
    }
    return highest;
  }

  private static double cores(Sample from, Sample to) {
    return (to.usedSeconds() - from.usedSeconds())
        / Math.max(1 / NANOS_PER_SECOND, (to.nanos() - from.nanos()) / NANOS_PER_SECOND);
  }

  /** Share of the applications that were throttled. */
  double throttledApplications() {
    long throttled =
        ids.stream()
            .filter(id -> after.get(id).throttledPeriods() > before.get(id).throttledPeriods())
            .count();
    return (double) throttled / ids.size();
  }

  /** Share of their periods in which they were; 0 without any. */
  double throttledPeriods() {
    long periods = 0;
    long throttled = 0;
    for (String id : ids) {
      periods += after.get(id).periods() - before.get(id).periods();
      throttled += after.get(id).throttledPeriods() - before.get(id).throttledPeriods();
    }
    return periods == 0 ? 0 : (double) throttled / periods;
  }
}
