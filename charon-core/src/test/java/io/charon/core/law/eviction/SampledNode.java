/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.eviction;

import io.charon.core.cpuset.Cores;
import io.charon.core.law.eviction.EvictionRule.MemoryUse;
import io.charon.core.law.eviction.PressureRule.MemoryPressure;
import io.charon.core.law.eviction.SatisfactionRule.BestEffortQuota;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.BestEffortTasks.Task;
import io.charon.core.mechanism.CoreUse;
import io.charon.core.mechanism.LastKill;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** A node with 1000 MiB and 8 processors, in a state that a test sets, sampled second by second. */
final class SampledNode {
  static final long MIB = 1 << 20;
  static final long SECOND = 1_000_000_000L;
  static final int PROCESSORS = 8;

  final List<Task> running = new ArrayList<>();
  long nanos = 5;
  long usedMebibytes;
  double somePercent;
  boolean waits = true;
  OptionalDouble quota = OptionalDouble.empty();
  Measurement bestEffort = Measurement.of(0);
  double production;
  OptionalLong killedNanos = OptionalLong.empty();

  /** Starts a best-effort container. */
  Task runs(String id, long mebibytes) {
    Task task = new Task(id, mebibytes * MIB, false);
    running.add(task);
    return task;
  }

  /** Returns the sample a second later. */
  Snapshot second() {
    return after(SECOND);
  }

  /** Returns the sample after the given time. */
  Snapshot after(long elapsedNanos) {
    nanos += elapsedNanos;
    Measurement missing = Measurement.missing("not asked for");
    return new Snapshot(
        nanos,
        new MemoryUse(usedMebibytes * MIB, 1000 * MIB),
        new MemoryPressure(somePercent, OptionalDouble.of(waits ? somePercent : 0)),
        new BestEffortQuota(quota),
        new LastKill(killedNanos),
        new BestEffortTasks(running),
        new NodeReading(
            nanos,
            "the node minus best-effort",
            ResourceUse.missing("not asked for"),
            new ResourceUse(Measurement.of(production), bestEffort, Measurement.of(PROCESSORS)),
            new CoreUse(
                Cores.parse("0-7"),
                Cores.parse("0-7"),
                Optional.empty(),
                Map.of(),
                Optional.empty()),
            ResourceUse.missing("not asked for"),
            new NodeReading.Health(missing, missing, missing),
            missing));
  }
}
