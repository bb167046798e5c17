/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.JmxReporter;
import com.codahale.metrics.Timer;
import io.charon.core.scheduler.PeakEstimate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Everything that is counted on a node. The NodeManager's own {@code /jmx} page shows it under the
 * domain {@code charon}; {@link #read} is for everybody else. Names are in {@link Metric} only.
 */
public final class NodeMetrics implements AutoCloseable {
  private static final String REGULATOR = "regulator";

  private final MetricSeries series = new MetricSeries();
  private final JmxReporter reporter =
      JmxReporter.forRegistry(series.registry())
          .inDomain("charon")
          .convertDurationsTo(TimeUnit.SECONDS) // as the names say
          .build();
  private final Counter launched = series.counter(Metric.LAUNCHED, "");
  private final Counter rejected = series.counter(Metric.REJECTED, "");
  private final Counter shed = series.counter(Metric.SHED, "");
  private final Counter handedBack = series.counter(Metric.HANDED_BACK, "");
  private final Counter killed = series.counter(Metric.KILLED_FOR_MEMORY, "");
  private final Counter preempted = series.counter(Metric.PREEMPTED, "");
  private final Counter failures = series.counter(Metric.TOLERATED_FAILURES, "");
  private final Histogram overestimated = series.histogram(Metric.PEAK_OVERESTIMATED, "");
  private final Histogram underestimated = series.histogram(Metric.PEAK_UNDERESTIMATED, "");
  private final Counter exchanges = series.counter(Metric.PEAK_EXCHANGES, "");
  private final Counter failedExchanges = series.counter(Metric.PEAK_EXCHANGE_FAILURES, "");
  private final Counter jobsLearned = series.counter(Metric.JOBS_LEARNED, "");
  private final Timer launchWait = series.timer(Metric.LAUNCH_WAIT, "");
  private final Timer tick = series.timer(Metric.TICK, "");

  /** Creates what is counted from the start, also while it is 0. */
  public NodeMetrics() {
    Metric.KILLS.labelValues().forEach(this::kills);
    Metric.PAUSE_DECISIONS.labelValues().forEach(this::pauses);
    Metric.KILL_SIGNAL.labelValues().forEach(this::killSignal);
    Metric.KILL_FREED.labelValues().forEach(this::killFreed);
  }

  /** Shows the registry in JMX. */
  public void start() {
    reporter.start();
  }

  @Override
  public void close() {
    reporter.close();
  }

  /** All metrics of this node at this instant, in the order of {@link Metric}. */
  public List<MetricFamily> read() {
    return series.read();
  }

  /** Best-effort containers started. */
  public Counter launched() {
    return launched;
  }

  /** Best-effort containers refused because the queue of this node was full. */
  public Counter rejected() {
    return rejected;
  }

  /** Best-effort containers taken out of the queue by the ResourceManager's queue limit. */
  public Counter shed() {
    return shed;
  }

  /** Best-effort containers that waited here for too long. */
  public Counter handedBack() {
    return handedBack;
  }

  /** How long best-effort containers waited before they were launched; 0 counts, too. */
  public Timer launchWait() {
    return launchWait;
  }

  /** Best-effort containers that ended because Charon or the kernel killed them for memory. */
  public Counter killedForMemory() {
    return killed;
  }

  /**
   * Decisions to kill for memory.
   *
   * @param killer kernel, user_space, regulator, memory_limit, pause, stop or linux_oom
   */
  public Counter kills(String killer) {
    return series.counter(Metric.KILLS, killer);
  }

  /**
   * From the decision to the last signal.
   *
   * @param killer kernel, user_space, regulator, memory_limit, pause or stop
   */
  public Timer killSignal(String killer) {
    return series.timer(Metric.KILL_SIGNAL, killer);
  }

  /**
   * From the decision until the memory was free.
   *
   * @param killer kernel, user_space, regulator, memory_limit, pause or stop
   */
  public Timer killFreed(String killer) {
    return series.timer(Metric.KILL_FREED, killer);
  }

  /** Best-effort containers that YARN killed to make room for a guaranteed one. */
  public Counter preemptedByYarn() {
    return preempted;
  }

  /**
   * How often pause before kill decided something, in mode observe too.
   *
   * @param action freeze, reclaim, resume or kill
   */
  public Counter pauses(String action) {
    return series.counter(Metric.PAUSE_DECISIONS, action);
  }

  /** Things that went wrong and were tolerated, such as a cgroup file that could not be written. */
  public Counter toleratedFailures() {
    return failures;
  }

  /**
   * A best-effort container ended: shows by how much its peak was over- and underestimated.
   *
   * @param estimate of a container that was measured
   */
  public void foreseen(PeakEstimate estimate) {
    overestimated.update(estimate.overestimatedBytes());
    underestimated.update(estimate.underestimatedBytes());
  }

  /** Messages about peaks that a ResourceManager answered. */
  public Counter peakExchanges() {
    return exchanges;
  }

  /** Attempts to share peaks that no ResourceManager answered. */
  public Counter failedPeakExchanges() {
    return failedExchanges;
  }

  /** Jobs of which other nodes told before this one had measured them. */
  public Counter jobsLearnedFromOthers() {
    return jobsLearned;
  }

  /** How long a tick takes. */
  public Timer tick() {
    return tick;
  }

  /**
   * Adds a value that is read when somebody looks.
   *
   * @param metric without a label
   * @param value reads it
   */
  public void gauge(Metric metric, LongSupplier value) {
    gauge(metric, "", value);
  }

  /**
   * Adds one series of a value that is read when somebody looks.
   *
   * @param metric with a label
   * @param labelValue tells the series apart
   * @param value reads it
   */
  public void gauge(Metric metric, String labelValue, LongSupplier value) {
    series.gauge(metric, labelValue, value::getAsLong);
  }

  /**
   * The same for a value with decimals.
   *
   * @param metric with a label or without
   * @param labelValue tells the series apart; empty without a label
   * @param value reads it; NaN while it is not known
   */
  public void decimal(Metric metric, String labelValue, DoubleSupplier value) {
    series.gauge(metric, labelValue, value::getAsDouble);
  }

  /** Takes away a value without a label that nobody supplies any more. */
  public void forget(Metric metric) {
    series.forget(metric, "");
  }

  /**
   * Takes away what a regulator showed.
   *
   * @param regulator its name
   */
  public void forgetRegulator(String regulator) {
    for (Metric metric : Metric.values()) {
      if (metric.labelKey().equals(REGULATOR)) {
        series.forget(metric, regulator);
      }
    }
  }
}
