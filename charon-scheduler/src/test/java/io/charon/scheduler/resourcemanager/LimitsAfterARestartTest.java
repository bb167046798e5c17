/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that containers count whose application asks the new ResourceManager for nothing. */
@Timeout(120)
@Tag("hadoop")
class LimitsAfterARestartTest {

  @Test
  @Tag("long")
  void containersOfAnApplicationThatAsksForNothingCount() throws Exception {
    YarnConfiguration configuration = MockCluster.configuration();
    configuration.set(BestEffortLimits.PER_QUEUE_KEY, "3");
    configuration.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
    configuration.setBoolean(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_ENABLED, true);
    configuration.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 0);
    configuration.set(YarnConfiguration.RM_STORE, MemoryRMStateStore.class.getName());
    try (MockCluster cluster = MockCluster.start(configuration, 2)) {
      MockApplication content = cluster.submit("batch", "alice");
      content.ask(3);
      content.await(3);
      for (Container container : content.got) {
        cluster.running(container);
      }

      cluster.restart(configuration, content);
      cluster.settle(content);
      MockApplication waiting = cluster.submit("batch", "bob");
      waiting.ask(2);
      cluster.settle(content, waiting);
      assertThat(waiting.got).isEmpty();

      cluster.end(content.got.subList(0, 1), ContainerExitStatus.SUCCESS);
      waiting.await(1);
    }
  }
}
