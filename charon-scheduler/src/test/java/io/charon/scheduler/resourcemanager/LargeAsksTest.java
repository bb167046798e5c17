/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.InvalidResourceRequestException;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests asks that are larger than YARN's allocator of OPPORTUNISTIC containers serves. */
@Timeout(120)
@Tag("hadoop")
class LargeAsksTest {
  private static final int SMALL = 5;
  private static final long LARGE_MB = 4L * MockCluster.CONTAINER_MB;

  private final YarnConfiguration configuration = MockCluster.configuration();

  @Test
  void aCallThatIsRefusedForASizeAllocatesNothingAndLosesNothing() throws Exception {
    configuration.set(
        "yarn.scheduler.capacity.root.batch.maximum-allocation-mb",
        Integer.toString(2 * MockCluster.CONTAINER_MB));
    try (MockCluster cluster = MockCluster.start(configuration, 2)) {
      MockApplication other = cluster.submit("batch", "bob");
      other.ask(1);
      other.await(1); // from now on YARN's allocator knows the nodes
      MockApplication application = cluster.submit("batch", "alice");

      assertThatThrownBy(() -> application.ask(MockApplication.ask("*", SMALL), large(1)))
          .isInstanceOf(InvalidResourceRequestException.class);

      assertThat(SchedulerView.liveBestEffort(inScheduler(cluster, application))).isZero();
      application.await(SMALL);
      cluster.settle(application);
      assertThat(application.got).hasSize(SMALL);
      assertThat(application.types()).containsExactly(ExecutionType.OPPORTUNISTIC);
    }
  }

  @Test
  void anAskAboveTheNodesThatWereThereAtTheRegistrationIsServedInFull() throws Exception {
    // From the first node on, the largest node is the maximum.
    configuration.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 0);
    try (MockCluster cluster = MockCluster.start(configuration, 0)) {
      cluster.nodes.add(
          cluster.resourceManager.registerNode("127.0.0.1:1234", 2 * MockCluster.CONTAINER_MB));
      MockApplication application = cluster.submit("batch", "alice");
      cluster.nodes.add(
          cluster.resourceManager.registerNode("127.0.0.2:1234", 64 * MockCluster.CONTAINER_MB));
      cluster.heartbeat();

      application.ask(large(1));
      application.await(1);

      assertThat(application.got)
          .extracting(container -> container.getResource().getMemorySize())
          .containsExactly(LARGE_MB);
      assertThat(application.got)
          .extracting(Container::getExecutionType)
          .containsExactly(ExecutionType.GUARANTEED);
      application.ask(SMALL);
      application.await(1 + SMALL);
      assertThat(application.got.subList(1, 1 + SMALL))
          .extracting(Container::getExecutionType)
          .containsOnly(ExecutionType.OPPORTUNISTIC);
    }
  }

  private static ResourceRequest large(int containers) {
    return ResourceRequest.newInstance(
        Priority.newInstance(7),
        ResourceRequest.ANY,
        Resource.newInstance(LARGE_MB, 1),
        containers);
  }

  private static SchedulerApplicationAttempt inScheduler(
      MockCluster cluster, MockApplication application) {
    return ((AbstractYarnScheduler<?, ?>) cluster.resourceManager.getResourceScheduler())
        .getApplicationAttempt(application.id());
  }
}
