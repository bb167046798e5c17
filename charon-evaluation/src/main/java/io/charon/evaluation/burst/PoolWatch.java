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

/** Samples the use of the pool ten times a second while the applications work. */
final class PoolWatch {
  private static final long SAMPLE_NANOS = 100_000_000;
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Samples in the window of the highest use: five consecutive periods of 100 ms (SoCC'22, U_max).
   */
  private static final int SAMPLES_OF_HIGHEST = 5;

  private record Sample(long nanos, double usedSeconds) {}

  private final PoolSensor sensor;
  private final Set<String> ids;
  private final List<Sample> samples = new ArrayList<>();
  private Map<String, PoolSensor.Container> before = Map.of();
  private Map<String, PoolSensor.Container> after = Map.of();

  /**
   * Creates a watch without samples.
   *
   * @param ids ids of the applications
   */
  PoolWatch(PoolSensor sensor, Set<String> ids) {
    this.sensor = sensor;
    this.ids = ids;
  }

  /**
   * Samples on the caller's thread until the end.
   *
   * @param fromNanos time from which samples count, by {@link System#nanoTime}
   * @param untilNanos time of the end
   * @param agent agent to tick, including the time before {@code fromNanos}; empty for none
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

  /** Returns the mean use while samples counted, in processors. */
  double meanCores() {
    return cores(samples.get(0), samples.get(samples.size() - 1));
  }

  /**
   * Returns the highest mean use over half a second, or the mean of all samples if they are fewer.
   */
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

  /** Returns the share of the applications that were throttled. */
  double throttledApplications() {
    long throttled =
        ids.stream()
            .filter(id -> after.get(id).throttledPeriods() > before.get(id).throttledPeriods())
            .count();
    return (double) throttled / ids.size();
  }

  /** Returns the share of the periods in which they were throttled; 0 if there were no periods. */
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
