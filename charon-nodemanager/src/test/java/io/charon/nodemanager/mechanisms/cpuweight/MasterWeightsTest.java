/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuweight;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.ExecutionType;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerInfos;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MasterWeightsTest {
  private static final ContainerInfo MASTER = ContainerInfos.master("container_1", 1);

  private Optional<Boolean> bestEffort = Optional.empty();
  private int questions;
  private final List<ContainerInfo> lowered = new ArrayList<>();
  private final MasterWeights weights =
      new MasterWeights(
          application -> {
            assertThat(application).isEqualTo(MASTER.applicationId());
            questions++;
            return bestEffort;
          },
          lowered::add);

  @Test
  void aMasterOfABestEffortApplicationWeighsLessFromItsLaunchOn() {
    bestEffort = Optional.of(true);
    weights.follow(MASTER);
    assertThat(lowered).containsExactly(MASTER);

    weights.tick();
    assertThat(lowered).as("once").hasSize(1);
  }

  @Test
  void oneThatIsNotKnownAtItsLaunchWeighsLessAsSoonAsItIs() {
    weights.follow(MASTER);
    weights.tick();
    assertThat(lowered).isEmpty();

    bestEffort = Optional.of(true);
    weights.tick();
    assertThat(lowered).containsExactly(MASTER);
  }

  @Test
  void productionsMasterKeepsItsWeightAndIsNotAskedAboutAgain() {
    bestEffort = Optional.of(false);
    weights.follow(MASTER);
    weights.tick();

    assertThat(lowered).isEmpty();
    assertThat(questions).isEqualTo(1);
  }

  @Test
  void tasksAreNotTouchedWhoeverTheyWorkFor() {
    bestEffort = Optional.of(true);
    weights.follow(ContainerInfos.production("container_2", 1));
    weights.follow(ContainerInfos.bestEffort("container_3", 1));
    weights.follow(
        new ContainerInfo(
            "container_4", MASTER.owner(), ExecutionType.OPPORTUNISTIC, true, MASTER.job(), 1, 1));
    weights.tick();

    assertThat(questions).isZero();
    assertThat(lowered).isEmpty();
  }

  @Test
  void whoHasEndedIsForgotten() {
    weights.follow(MASTER);
    weights.stopped(MASTER.containerId());
    bestEffort = Optional.of(true);
    weights.tick();

    assertThat(lowered).isEmpty();
  }
}
