/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import io.charon.sls.cluster.ClusterObserver;
import io.charon.sls.workload.Side;
import io.charon.sls.workload.SimulatedJob;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Counts what happens in a run. */
final class RunStatistics implements ClusterObserver {
  private static final double NANOS_PER_SECOND = 1e9;

  private static final class OfSide {
    private final Map<String, Double> completionSeconds = new LinkedHashMap<>();
    private int submitted;
    private int failed;

    SideResult result() {
      return new SideResult(submitted, failed, Collections.unmodifiableMap(completionSeconds));
    }
  }

  private final OfSide production = new OfSide();
  private final OfSide bestEffort = new OfSide();
  private final Map<String, Integer> kills = new TreeMap<>();
  private int rejections;
  private double lostNanos;

  void submitted(SimulatedJob job) {
    of(job).submitted++;
  }

  @Override
  public void jobCompleted(SimulatedJob job, long submittedNanos, long nowNanos) {
    Double before =
        of(job).completionSeconds.put(job.id(), (nowNanos - submittedNanos) / NANOS_PER_SECOND);
    if (before != null) {
      throw new IllegalStateException("job " + job.id() + " completed twice");
    }
  }

  @Override
  public void jobFailed(SimulatedJob job, long nowNanos) {
    of(job).failed++;
  }

  @Override
  public void killed(String cause) {
    kills.merge(cause, 1, Integer::sum);
  }

  @Override
  public void rejected() {
    rejections++;
  }

  @Override
  public void workLost(double nanos) {
    lostNanos += nanos;
  }

  SideResult bestEffort() {
    return bestEffort.result();
  }

  SideResult production() {
    return production.result();
  }

  Map<String, Integer> kills() {
    return Collections.unmodifiableMap(kills);
  }

  int rejections() {
    return rejections;
  }

  double lostSeconds() {
    return lostNanos / NANOS_PER_SECOND;
  }

  private OfSide of(SimulatedJob job) {
    return job.side() == Side.PRODUCTION ? production : bestEffort;
  }
}
