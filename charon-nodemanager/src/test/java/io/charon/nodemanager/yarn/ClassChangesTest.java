/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.charon.core.scheduler.ExecutionType;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests with a best-effort container that the node knows and that YARN promotes or resizes. */
@Tag("hadoop")
class ClassChangesTest {
  private final StockYarn yarn = new StockYarn(5);
  private final ContainerExecutor executor = mock(ContainerExecutor.class);
  private final ContainerLedger ledger = new ContainerLedger();
  private final List<ContainerInfo> heard = new ArrayList<>();
  private final List<ContainerInfo> heardOfSize = new ArrayList<>();
  private final Container container = yarn.opportunistic(1, 100);
  private long nanos;
  private final ClassChanges changes =
      new ClassChanges(
          ledger::entries,
          yarn.context(),
          executor,
          container -> hear(container, heard),
          container -> hear(container, heardOfSize),
          () -> nanos);

  private void hear(ContainerInfo changed, List<ContainerInfo> by) {
    by.add(changed);
    ledger.changed(changed);
  }

  @BeforeEach
  void start() {
    ledger.started(Containers.info(container));
    changes.check();
    assertThat(heard).isEmpty();
  }

  /** A launch that goes on in the old class would end in best-effort's cgroup. */
  @Test
  @Tag("must-never")
  void aPromotionDuringTheLaunchIsPassedOnOnceThereIsAProcessToMove() {
    yarn.promote(container);
    changes.check();
    changes.check();
    assertThat(heard).isEmpty();

    when(executor.getProcessId(StockYarn.id(1))).thenReturn("77");
    changes.check();
    changes.check();

    assertThat(heard)
        .singleElement()
        .extracting(ContainerInfo::executionType)
        .isEqualTo(ExecutionType.GUARANTEED);
  }

  @Test
  void whereProcessesAreNotToldAPromotionIsNotLost() {
    yarn.promote(container);
    changes.check();
    nanos += Duration.ofSeconds(30).toNanos() - 1;
    changes.check();
    assertThat(heard).isEmpty();

    nanos++;
    changes.check();

    assertThat(heard).hasSize(1);
  }

  @Test
  void aNewSizeIsPassedOnOnceAndIsNoNewClass() {
    yarn.resize(container, 300);
    changes.check();
    changes.check();

    assertThat(heardOfSize)
        .singleElement()
        .extracting(ContainerInfo::requestedBytes)
        .isEqualTo(300L << 20);
    assertThat(heard).isEmpty();
  }

  @Test
  void oneWhoseProcessesHaveEndedDoesNotChange() {
    when(executor.getProcessId(StockYarn.id(1))).thenReturn("77");
    ledger.stopped(StockYarn.id(1).toString());
    yarn.promote(container);

    changes.check();

    assertThat(heard).isEmpty();
  }
}
