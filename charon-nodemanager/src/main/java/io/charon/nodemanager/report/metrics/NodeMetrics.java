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
 * The metrics of a node. The NodeManager's own {@code /jmx} page shows them under the domain {@code
 * charon}; all other consumers use {@link #read}. Names are defined in {@link Metric} only.
 */
public final class NodeMetrics implements AutoCloseable {

  private final MetricSeries series = new MetricSeries();
  private final JmxReporter reporter =
      JmxReporter.forRegistry(series.registry())
          .inDomain("charon")
          .convertDurationsTo(TimeUnit.SECONDS) // as in the names
          .build();
  private final Counter launched = series.counter(NodeMetric.LAUNCHED, "");
  private final Counter rejected = series.counter(NodeMetric.REJECTED, "");
  private final Counter shed = series.counter(NodeMetric.SHED, "");
  private final Counter handedBack = series.counter(NodeMetric.HANDED_BACK, "");
  private final Counter killed = series.counter(NodeMetric.KILLED_FOR_MEMORY, "");
  private final Counter preempted = series.counter(NodeMetric.PREEMPTED, "");
  private final Counter failures = series.counter(NodeMetric.TOLERATED_FAILURES, "");
  private final Histogram overestimated = series.histogram(NodeMetric.PEAK_OVERESTIMATED, "");
  private final Histogram underestimated = series.histogram(NodeMetric.PEAK_UNDERESTIMATED, "");
  private final Counter exchanges = series.counter(NodeMetric.PEAK_EXCHANGES, "");
  private final Counter failedExchanges = series.counter(NodeMetric.PEAK_EXCHANGE_FAILURES, "");
  private final Counter jobsLearned = series.counter(NodeMetric.JOBS_LEARNED, "");
  private final Timer launchWait = series.timer(NodeMetric.LAUNCH_WAIT, "");
  private final Timer tick = series.timer(NodeMetric.TICK, "");

  /** Creates the series that exist from the start, even while they are 0. */
  public NodeMetrics() {
    NodeMetric.KILLS.labelValues().forEach(this::kills);
    NodeMetric.FREEZE_DECISIONS.labelValues().forEach(this::freezes);
    NodeMetric.KILL_SIGNAL.labelValues().forEach(this::killSignal);
    NodeMetric.KILL_FREED.labelValues().forEach(this::killFreed);
  }

  /** Publishes the metrics in JMX. */
  public void start() {
    reporter.start();
  }

  @Override
  public void close() {
    reporter.close();
  }

  /** Returns the current values of all metrics of this node, in the order of {@link Metric}. */
  public List<MetricFamily> read() {
    return series.read();
  }

  /** Returns the number of best-effort containers started. */
  public Counter launched() {
    return launched;
  }

  /**
   * Returns the number of best-effort containers rejected because the queue of this node was full.
   */
  public Counter rejected() {
    return rejected;
  }

  /**
   * Returns the number of best-effort containers removed from the queue by the ResourceManager's
   * queue limit.
   */
  public Counter shed() {
    return shed;
  }

  /** Returns the number of best-effort containers handed back because they waited too long. */
  public Counter handedBack() {
    return handedBack;
  }

  /**
   * Returns the waiting times of best-effort containers before their launch, including those of 0.
   */
  public Timer launchWait() {
    return launchWait;
  }

  /**
   * Returns the number of best-effort containers that ended because Charon or the kernel killed
   * them for memory.
   */
  public Counter killedForMemory() {
    return killed;
  }

  /**
   * Returns the number of decisions to kill for memory.
   *
   * @param killer a value of {@code Label.KILLER}, such as kernel, user_space or linux_oom
   */
  public Counter kills(String killer) {
    return series.counter(NodeMetric.KILLS, killer);
  }

  /**
   * Returns the times from the decision to the last signal.
   *
   * @param killer a value of {@code Label.KILLER}, such as kernel or user_space
   */
  public Timer killSignal(String killer) {
    return series.timer(NodeMetric.KILL_SIGNAL, killer);
  }

  /**
   * Returns the times from the decision until the memory was free.
   *
   * @param killer a value of {@code Label.KILLER}, such as kernel or user_space
   */
  public Timer killFreed(String killer) {
    return series.timer(NodeMetric.KILL_FREED, killer);
  }

  /**
   * Returns the number of best-effort containers that YARN killed to make room for a guaranteed
   * one.
   */
  public Counter preemptedByYarn() {
    return preempted;
  }

  /**
   * Returns the number of decisions of freeze before kill, including those in mode observe.
   *
   * @param action freeze, reclaim, thaw or kill
   */
  public Counter freezes(String action) {
    return series.counter(NodeMetric.FREEZE_DECISIONS, action);
  }

  /** Returns the number of tolerated failures, such as a cgroup file that could not be written. */
  public Counter toleratedFailures() {
    return failures;
  }

  /**
   * Records by how much the peak of an ended best-effort container was over- or underestimated.
   *
   * @param estimate the estimate of a container whose peak was measured
   */
  public void recordPeakEstimate(PeakEstimate estimate) {
    overestimated.update(estimate.overestimatedBytes());
    underestimated.update(estimate.underestimatedBytes());
  }

  /** Returns the number of messages about peaks that a ResourceManager answered. */
  public Counter peakExchanges() {
    return exchanges;
  }

  /** Returns the number of attempts to share peaks that no ResourceManager answered. */
  public Counter failedPeakExchanges() {
    return failedExchanges;
  }

  /** Returns the number of jobs that other nodes reported before this node had measured them. */
  public Counter jobsLearnedFromOthers() {
    return jobsLearned;
  }

  /** Returns the durations of ticks. */
  public Timer tick() {
    return tick;
  }

  /**
   * Adds a value that is computed whenever it is read.
   *
   * @param metric a metric without a label
   * @param value computes the value
   */
  public void gauge(Metric metric, LongSupplier value) {
    gauge(metric, "", value);
  }

  /**
   * Adds one series of a value that is computed whenever it is read.
   *
   * @param metric a metric with a label
   * @param labelValue the label's value for this series
   * @param value computes the value
   */
  public void gauge(Metric metric, String labelValue, LongSupplier value) {
    series.gauge(metric, labelValue, value::getAsLong);
  }

  /**
   * Adds one series of a decimal value that is computed whenever it is read.
   *
   * @param metric a metric with or without a label
   * @param labelValue the label's value for this series; empty without a label
   * @param value computes the value; NaN while it is unknown
   */
  public void decimal(Metric metric, String labelValue, DoubleSupplier value) {
    series.gauge(metric, labelValue, value::getAsDouble);
  }

  /** Removes a metric without a label whose value is no longer supplied. */
  public void forget(Metric metric) {
    series.forget(metric, "");
  }

  /**
   * Removes all series of a mechanism.
   *
   * @param regulator name of the mechanism
   */
  public void forgetRegulator(String regulator) {
    for (Metric metric : MechanismMetric.values()) {
      series.forget(metric, regulator);
    }
  }
}
