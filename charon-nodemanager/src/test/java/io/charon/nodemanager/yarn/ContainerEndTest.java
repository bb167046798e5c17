/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.ContainerEnd;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests with the diagnostics of the real ContainerScheduler, which alone distinguish its kills. */
@Tag("hadoop")
class ContainerEndTest {
  private final StockYarn yarn = new StockYarn(2);

  @Test
  void aFullQueueRejects() {
    yarn.schedule(yarn.opportunistic(1, StockYarn.NODE_MB));
    yarn.schedule(yarn.opportunistic(2, StockYarn.NODE_MB));
    yarn.schedule(yarn.opportunistic(3, StockYarn.NODE_MB));
    yarn.schedule(yarn.opportunistic(4, StockYarn.NODE_MB));

    assertEnded(4, ContainerEnd.REJECTED);
  }

  @Test
  void aShorterQueueSheds() {
    yarn.schedule(yarn.opportunistic(1, StockYarn.NODE_MB));
    yarn.schedule(yarn.opportunistic(2, StockYarn.NODE_MB));
    yarn.schedule(yarn.opportunistic(3, StockYarn.NODE_MB));
    yarn.limitQueue(1);

    assertEnded(3, ContainerEnd.SHED);
  }

  @Test
  void stockYarnMakesRoomForGuaranteedOnes() {
    yarn.schedule(yarn.opportunistic(1, StockYarn.NODE_MB));
    Container guaranteed = yarn.guaranteed(2, StockYarn.NODE_MB);
    yarn.schedule(guaranteed);

    assertEnded(1, ContainerEnd.PREEMPTED_BY_YARN);
  }

  @Test
  void anythingElseIsNotOurs() {
    assertThat(ContainerEnd.ofSchedulerKill("")).isEqualTo(ContainerEnd.OTHER);
    assertThat(ContainerEnd.ofSchedulerKill("Container killed by the ApplicationMaster."))
        .isEqualTo(ContainerEnd.OTHER);
  }

  private void assertEnded(int number, ContainerEnd end) {
    assertThat(yarn.kills()).containsOnlyKeys(StockYarn.id(number).toString());
    String diagnostics = yarn.kills().get(StockYarn.id(number).toString());
    assertThat(ContainerEnd.ofSchedulerKill(diagnostics)).isEqualTo(end);
  }
}
