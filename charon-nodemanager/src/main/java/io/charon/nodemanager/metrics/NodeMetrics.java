/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.metrics;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.JmxReporter;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import io.charon.scheduler.local.PeakEstimate;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Everything that is counted on a node, in one registry that the NodeManager's own {@code /jmx}
 * page shows under the domain {@code charon}.
 */
public final class NodeMetrics implements AutoCloseable {
  private final MetricRegistry registry = new MetricRegistry();
  private final JmxReporter reporter = JmxReporter.forRegistry(registry).inDomain("charon").build();
  private final Counter launched = registry.counter("charon_launched_containers");
  private final Counter rejected = registry.counter("charon_rejected_containers");
  private final Counter shed = registry.counter("charon_shed_containers");
  private final Counter killed = registry.counter("charon_killed_for_memory_containers");
  private final Counter preempted = registry.counter("charon_preempted_by_yarn_containers");
  private final Counter failures = registry.counter("charon_tolerated_failures");
  private final Timer killSignal = registry.timer("charon_kill_decision_to_signal_seconds");
  private final Timer killRelease = registry.timer("charon_kill_decision_to_freed_seconds");
  private final Histogram overestimated = registry.histogram("charon_peak_overestimated_bytes");
  private final Histogram underestimated = registry.histogram("charon_peak_underestimated_bytes");
  private final Counter exchanges = registry.counter("charon_peak_exchanges");
  private final Counter failedExchanges = registry.counter("charon_peak_exchange_failures");
  private final Counter jobsLearnt = registry.counter("charon_peak_jobs_learnt_from_others");
  private final Timer tick = registry.timer("charon_tick_seconds");

  /** Shows the registry in JMX. */
  public void start() {
    reporter.start();
  }

  @Override
  public void close() {
    reporter.close();
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

  /** Best-effort containers that Charon or the kernel killed for memory. */
  public Counter killedForMemory() {
    return killed;
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
    return registry.counter("charon_pause_%s_decisions".formatted(action));
  }

  /** Things that went wrong and were tolerated, such as a cgroup file that could not be written. */
  public Counter toleratedFailures() {
    return failures;
  }

  /** Of kernel kills: from the decision to the last SIGKILL. */
  public Timer killSignal() {
    return killSignal;
  }

  /**
   * Of kernel kills that a helper looked after: from the decision until all memory was released.
   */
  public Timer killRelease() {
    return killRelease;
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
  public Counter jobsLearntFromOthers() {
    return jobsLearnt;
  }

  /** How long a tick takes. */
  public Timer tick() {
    return tick;
  }

  /**
   * Adds a value that is read when somebody looks.
   *
   * @param name with its unit
   * @param value reads it
   */
  public void gauge(String name, LongSupplier value) {
    Gauge<Long> gauge = value::getAsLong;
    registry.register(name, gauge);
  }

  /**
   * The same for a value with decimals.
   *
   * @param name with its unit
   * @param value reads it
   */
  public void decimal(String name, DoubleSupplier value) {
    Gauge<Double> gauge = value::getAsDouble;
    registry.register(name, gauge);
  }

  /**
   * Takes away values that nobody supplies any more.
   *
   * @param prefix of their names
   */
  public void forget(String prefix) {
    registry.removeMatching((name, metric) -> name.startsWith(prefix) && metric instanceof Gauge);
  }
}
