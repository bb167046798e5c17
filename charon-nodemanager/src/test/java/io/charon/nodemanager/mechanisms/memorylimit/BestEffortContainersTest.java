/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;
import static org.mockito.Mockito.when;

import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.mechanisms.kill.DyingContainers;
import io.charon.nodemanager.mechanisms.kill.MemoryKills;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The regulator's containers are those of the other killers, too. */
class BestEffortContainersTest {
  private final List<String> killed = new ArrayList<>();
  private final LaunchGate gate = mock(LaunchGate.class);
  private final MemoryKills kills = mock(MemoryKills.class);
  private final ContainerLedger ledger = new ContainerLedger();
  private final DyingContainers dying = new DyingContainers(() -> 0, () -> {});
  private final BestEffortContainers containers =
      new BestEffortContainers(Optional.of(gate), ledger, dying, kills, () -> killed::add);

  @BeforeEach
  void run() {
    for (String id : List.of("c1", "c2")) {
      ledger.started(ContainerInfos.bestEffort(id, 100));
    }
    ledger.measured(Map.of("c1", 10L, "c2", 20L));
    when(gate.runningOldestFirst()).thenReturn(List.of("c1", "c2"));
  }

  @Test
  void whoDiesByAnotherHandCountsAsDying() {
    dying.add("c1");

    assertThat(containers.oldestFirst())
        .containsExactly(
            new MemoryBound.Container("c1", 10, true), new MemoryBound.Container("c2", 20, false));
  }

  @Test
  void nobodyIsKilledTwiceAndNothingIsAttributedThen() throws IOException {
    containers.kill("c2", "too much");
    assertThat(killed).containsExactly("c2");
    assertThat(dying.contains("c2")).isTrue();

    dying.add("c1");
    assertThatThrownBy(() -> containers.kill("c1", "too much")).isInstanceOf(IOException.class);
    assertThat(killed).containsExactly("c2");
    verify(kills).killedByRegulator("c2", "too much");
    verifyNoMoreInteractions(kills);
  }
}
