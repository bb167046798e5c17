/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager;

import io.charon.nodemanager.audit.AuditLog;
import io.charon.nodemanager.audit.AuditRecord;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.metrics.NodeMetrics;
import io.charon.nodemanager.regulator.Action;
import io.charon.nodemanager.regulator.Cause;
import io.charon.nodemanager.regulator.Decision;
import io.charon.nodemanager.regulator.MemoryRegulator;
import io.charon.nodemanager.regulator.NormalRange;
import io.charon.nodemanager.regulator.Observation;
import io.charon.nodemanager.regulator.RangeSettings;
import io.charon.scheduler.local.NodeMemory;
import java.io.IOException;
import java.time.Clock;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the foreground's memory to the memory regulator at every tick, and tells what it decides:
 * in the status, in the metrics and, when something changes, in the audit. It observes only:
 * nothing on the node changes.
 *
 * <p>The foreground is the node minus best-effort: its capacity, less what is available, less the
 * working sets of best-effort containers.
 */
final class MemoryRegulation {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryRegulation.class);
  private static final String FOREGROUND = "the node minus best-effort";

  private final MemoryRegulator regulator;
  private final Optional<AuditLog> audit;
  private final NodeMetrics metrics;
  private final Clock clock;
  private double capacityBytes;
  private boolean auditWritable = true;
  private volatile Optional<Decision> last = Optional.empty();

  /**
   * A regulation that has seen nothing yet.
   *
   * @param settings how the range is learnt
   * @param audit takes what changes, if anybody wants it
   * @param metrics shows the last decision
   * @param clock dates the audit
   */
  MemoryRegulation(
      RangeSettings settings, Optional<AuditLog> audit, NodeMetrics metrics, Clock clock) {
    this.regulator = new MemoryRegulator(settings);
    this.audit = audit;
    this.metrics = metrics;
    this.clock = clock;
    gauge("charon_memory_regulator_limit_bytes", Decision::limit);
    gauge("charon_memory_regulator_mean_bytes", range(NormalRange::mean));
    gauge(
        "charon_memory_regulator_standard_deviation_bytes", range(NormalRange::standardDeviation));
  }

  /** As the operator wants it, if at all. */
  static Optional<MemoryRegulation> of(CharonSettings settings, NodeMetrics metrics, Clock clock) {
    return settings
        .memoryRegulator()
        .map(
            range ->
                new MemoryRegulation(
                    range,
                    settings
                        .audit()
                        .map(wanted -> new AuditLog(wanted.directory(), wanted.mostBytes())),
                    metrics,
                    clock));
  }

  /** A tick read the node's memory, or could not. */
  void observed(long nanos, Optional<NodeMemory> memory, Collection<Long> bestEffortBytes) {
    memory.ifPresent(reading -> capacityBytes = (double) reading.capacityBytes());
    OptionalDouble foreground =
        memory.isPresent()
            ? OptionalDouble.of(foreground(memory.get(), bestEffortBytes))
            : OptionalDouble.empty();
    Decision decision = regulator.decide(new Observation(nanos, foreground, capacityBytes));
    Cause before = last.map(Decision::cause).orElse(null);
    if (decision.action() != Action.KEEP || decision.cause() != before) {
      write(decision);
    }
    // Last, so that whoever sees a limit in the status finds it in the audit.
    last = Optional.of(decision);
  }

  /** What was decided at the last tick. */
  Optional<Decision> last() {
    return last;
  }

  private static double foreground(NodeMemory memory, Collection<Long> bestEffortBytes) {
    long bestEffort = bestEffortBytes.stream().mapToLong(Long::longValue).sum();
    return (double) Math.max(0, memory.capacityBytes() - memory.availableBytes() - bestEffort);
  }

  private void write(Decision decision) {
    if (audit.isEmpty()) {
      return;
    }
    try {
      audit.get().write(AuditRecord.observed(clock.instant(), "memory", FOREGROUND, decision));
      auditWritable = true;
    } catch (IOException e) {
      if (auditWritable) {
        LOG.warn("decisions are not written down until the audit can be written again", e);
      }
      auditWritable = false;
      metrics.toleratedFailures().inc();
    }
  }

  private void gauge(String name, ToDoubleFunction<Decision> value) {
    metrics.gauge(name, () -> last.map(value::applyAsDouble).map(Math::round).orElse(0L));
  }

  private static ToDoubleFunction<Decision> range(ToDoubleFunction<NormalRange> value) {
    return decision -> decision.range().map(value::applyAsDouble).orElse(0.0);
  }
}
