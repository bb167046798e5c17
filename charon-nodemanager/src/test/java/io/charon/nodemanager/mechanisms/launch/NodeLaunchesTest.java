/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.charon.core.kill.LowMemoryRule;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests containers whose class changes between their launch by the gate and their start. */
@Tag("hadoop")
class NodeLaunchesTest {
  private static final long MIB = 1 << 20;

  private final NodeLaunches launches =
      new NodeLaunches(
          TestSettings.of(),
          Duration.ofDays(1),
          new LowMemoryRule(10),
          Audit.direct(Optional.empty(), Clock.systemUTC(), new Counter()),
          new NodeMetrics(),
          Clock.systemUTC(),
          System::nanoTime);
  private final LaunchGate gate = launches.gate().orElseThrow();

  /** As best-effort it would be frozen and chosen by the user-space killer. */
  @Test
  @Tag("must-never")
  void oneThatWasPromotedBeforeItStartedIsNotChargedAsBestEffort() {
    gate.observed(new NodeMemory(1000 * MIB, 900 * MIB), Map.of());
    assertThat(gate.request(ContainerInfos.bestEffort("c1", MIB).launchRequest()).outcome())
        .isEqualTo(LaunchDecision.Outcome.LAUNCHED);

    launches.starting(ContainerInfos.production("c1", MIB), true);

    assertThat(gate.runningOldestFirst()).isEmpty();
  }

  @Test
  void whatAPromotedContainerHoldsIsNotOfferedToOthers() {
    gate.observed(new NodeMemory(1000 * MIB, 900 * MIB), Map.of());
    gate.request(ContainerInfos.bestEffort("c1", 400 * MIB).launchRequest());
    gate.unobserved(); // The next reading counts at once.
    gate.observed(new NodeMemory(1000 * MIB, 500 * MIB), Map.of("c1", 400 * MIB));

    launches.changed(ContainerInfos.production("c1", 400 * MIB), true);
    assertThat(ask("c2").reason()).isEqualTo(LaunchVerdict.Reason.MEMORY_UNKNOWN);

    gate.observed(new NodeMemory(1000 * MIB, 500 * MIB), Map.of());
    assertThat(ask("c2").reason()).isEqualTo(LaunchVerdict.Reason.MEMORY);
    launches.changed(ContainerInfos.production("p1", 400 * MIB), true);
    assertThat(ask("c2").reason())
        .as("it was production before")
        .isEqualTo(LaunchVerdict.Reason.MEMORY);
  }

  private LaunchVerdict ask(String containerId) {
    return gate.request(ContainerInfos.bestEffort(containerId, 600 * MIB).launchRequest())
        .verdict();
  }

  @Test
  void oneThatWasDemotedBeforeItStartedIsCharged() {
    launches.starting(ContainerInfos.bestEffort("c1", MIB), true);

    assertThat(gate.runningOldestFirst()).containsExactly("c1");
  }

  @Test
  void oneThatKeepsItsClassKeepsItsPlace() {
    gate.observed(new NodeMemory(1000 * MIB, 900 * MIB), Map.of());
    gate.request(ContainerInfos.bestEffort("c1", MIB).launchRequest());
    gate.request(ContainerInfos.bestEffort("c2", MIB).launchRequest());

    launches.starting(ContainerInfos.bestEffort("c1", MIB), true);
    launches.starting(ContainerInfos.production("p1", MIB), true);

    assertThat(gate.runningOldestFirst()).containsExactly("c1", "c2");
  }
}
