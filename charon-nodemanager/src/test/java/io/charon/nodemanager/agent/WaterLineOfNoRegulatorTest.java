/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.cpuset.Cores;
import io.charon.core.law.eviction.SatisfactionRule;
import io.charon.core.law.eviction.SatisfactionRule.BestEffortQuota;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.CoreUse;
import io.charon.core.mechanism.LastKill;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.Mechanism;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.Snapshot;
import io.charon.core.mechanism.WorkingSet;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.execution.MechanismParts;
import io.charon.nodemanager.execution.MechanismRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the eviction by CPU satisfaction beside a water line that no regulator enforces. */
@Tag("hadoop")
class WaterLineOfNoRegulatorTest {
  private static final long SECOND = 1_000_000_000L;

  @ParameterizedTest
  @ValueSource(strings = {"off", "observe"})
  void bestEffortThatRunsAtFullSpeedIsNotEvicted(String mode) throws IOException {
    List<MechanismParts> parts =
        MechanismListTest.onNothing(
            TestSettings.of(
                "evict-satisfaction.mode", "enforce",
                "regulator.cpu.mode", mode,
                "regulator.cpu.water-line-percent", "65"),
            Path.of("/nonexistent"));
    Mechanism satisfaction =
        parts.stream()
            .flatMap(one -> one.entries().stream())
            .map(MechanismRunner.Entry::mechanism)
            .filter(one -> one.name().equals(SatisfactionRule.NAME))
            .findFirst()
            .orElseThrow();
    List<Action> actions = new ArrayList<>();
    for (int second = 1; second <= 100; second++) {
      actions.addAll(satisfaction.decide(full(second * SECOND)));
    }
    for (MechanismParts one : parts) {
      one.close();
    }
    assertThat(actions).isEmpty();
  }

  /** Production and best-effort share all of 32 processors; each gets what it asks for. */
  private static Snapshot full(long nanos) {
    Measurement missing = Measurement.missing("not asked for");
    ResourceUse none = ResourceUse.missing("not asked for");
    return new Snapshot(
        nanos,
        new BestEffortQuota(OptionalDouble.empty()),
        new LastKill(OptionalLong.empty()),
        new BestEffortTasks(
            List.of(new BestEffortTasks.Task("c", WorkingSet.of(1), false, 0, 12, true))),
        new NodeReading(
            nanos,
            "the node minus best-effort",
            none,
            new ResourceUse(Measurement.of(20), Measurement.of(12), Measurement.of(32)),
            new CoreUse(
                Cores.parse("0-31"),
                Cores.parse("0-31"),
                Optional.empty(),
                Map.of(),
                Optional.empty()),
            none,
            new NodeReading.Health(missing, missing, missing),
            missing));
  }
}
