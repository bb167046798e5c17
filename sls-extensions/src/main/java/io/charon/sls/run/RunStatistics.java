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
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Counts the events of a run. */
final class RunStatistics implements ClusterObserver {
  private static final double NANOS_PER_SECOND = 1e9;

  private static final class OfSide {
    private final CompletionTimes times = new CompletionTimes();
    // Jobs are told apart as objects: the id of a further submission may be that of another job.
    private final IdentityHashMap<SimulatedJob, Integer> underWay = new IdentityHashMap<>();
    private int failed;

    void submitted(SimulatedJob job) {
      if (underWay.put(job, times.add()) != null) {
        throw new IllegalStateException("job " + job.id() + " was submitted twice");
      }
    }

    int over(SimulatedJob job) {
      Integer place = underWay.remove(job);
      if (place == null) {
        throw new IllegalStateException("job " + job.id() + " ended, but is not running");
      }
      return place;
    }

    SideResult result() {
      return new SideResult(failed, times);
    }
  }

  private final OfSide production = new OfSide();
  private final OfSide bestEffort = new OfSide();
  private final Map<String, Integer> kills = new TreeMap<>();
  private int moves;
  private int rejections;
  private int handBacks;
  private double lostNanos;

  void submitted(SimulatedJob job) {
    of(job).submitted(job);
  }

  @Override
  public void jobCompleted(SimulatedJob job, long submittedNanos, long nowNanos) {
    OfSide side = of(job);
    side.times.complete(side.over(job), (nowNanos - submittedNanos) / NANOS_PER_SECOND);
  }

  @Override
  public void jobFailed(SimulatedJob job, long nowNanos) {
    OfSide side = of(job);
    side.over(job);
    side.failed++;
  }

  @Override
  public void killed(String cause) {
    kills.merge(cause, 1, Integer::sum);
  }

  @Override
  public void moved() {
    moves++;
  }

  @Override
  public void handedBack() {
    handBacks++;
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

  Disruptions disruptions() {
    return new Disruptions(
        Collections.unmodifiableMap(kills),
        moves,
        rejections,
        handBacks,
        lostNanos / NANOS_PER_SECOND);
  }

  private OfSide of(SimulatedJob job) {
    return job.side() == Side.PRODUCTION ? production : bestEffort;
  }
}
