/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.kill.VictimOrder;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.eviction.Eviction;
import io.charon.core.law.eviction.EvictionRule.MemoryUse;
import io.charon.core.law.eviction.MemoryLineRule;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.LastKill;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.execution.TestExecutor;
import io.charon.nodemanager.report.metrics.MechanismMetric;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import io.charon.nodemanager.report.metrics.Sample;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests a node of 1000 bytes above its line for evictions, on which no container runs. */
class MechanismGaugesTest {
  private static final long SECOND = 1_000_000_000L;

  private final NodeMetrics metrics = new NodeMetrics();
  private long nanos;

  private MechanismRunner runner(RegulatorMode mode) {
    MechanismRunner runner =
        new MechanismRunner(
            List.of(
                new MechanismRunner.Entry(
                    new Eviction(
                        new MemoryLineRule(70, 68),
                        VictimOrder.NEWEST,
                        Duration.ZERO,
                        Availability.available()),
                    mode)),
            TestExecutor.of(Optional.empty(), metrics.toleratedFailures(), Map.of()));
    runner.start();
    MechanismGauges.show(runner, metrics);
    return runner;
  }

  private void tick(MechanismRunner runner) {
    nanos += SECOND;
    runner.tick(
        new Snapshot(
            nanos,
            new MemoryUse(900, 1000),
            new BestEffortTasks(List.of()),
            new LastKill(OptionalLong.empty())));
  }

  private List<Double> unmet() {
    return metrics.read().stream()
        .filter(family -> family.metric() == MechanismMetric.UNMET_BYTES)
        .flatMap(family -> family.samples().stream())
        .map(Sample::value)
        .toList();
  }

  private static String detail(MechanismRunner runner) {
    return RegulatorDocuments.regulator(runner.states().get(0)).limit().cores();
  }

  @Test
  void whatWasMeasuredHasNoValueOnceItIsOutdated() {
    MechanismRunner runner = runner(RegulatorMode.OBSERVE);
    assertThat(unmet()).isEmpty();
    tick(runner);
    assertThat(unmet()).containsExactly(220.0);
    assertThat(detail(runner)).startsWith("unmet: ");

    for (int second = 0; second < 3; second++) {
      nanos += SECOND;
      runner.tick(new Snapshot(nanos));
    }
    assertThat(unmet()).isEmpty();
    assertThat(detail(runner)).isNull();

    tick(runner);
    assertThat(unmet()).containsExactly(220.0);
    assertThat(detail(runner)).isNotNull();
  }

  @Test
  void oneThatIsOffHasNoMetrics() {
    MechanismRunner runner = runner(RegulatorMode.OFF);
    tick(runner);
    assertThat(unmet()).isEmpty();
  }
}
