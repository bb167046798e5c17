/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.yarn.api.protocolrecords.MoveApplicationAcrossQueuesRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests an application that becomes best-effort, or stops being so, while it waits for containers:
 * the numbers of its asks are absolute, so they must not change sides.
 */
@Timeout(120)
@Tag("hadoop")
class ChangeOfTypeTest {
  private static final int MORE_THAN_FIT = 500;

  private final YarnConfiguration configuration = MockCluster.configuration();

  @Test
  @Tag("long")
  void guaranteedAsksOfAnApplicationThatBecomesBestEffortCanBeCancelled() throws Exception {
    try (MockCluster cluster = MockCluster.start(configuration, 2)) {
      MockApplication application = cluster.submit("production", "alice");
      application.ask(MORE_THAN_FIT);
      application.await(1);
      cluster.settle(application);
      move(cluster, application, "batch");

      application.ask(MORE_THAN_FIT);
      assertThat(guaranteedAsks(cluster, application)).as("still there").isPositive();
      application.ask(0);
      assertThat(guaranteedAsks(cluster, application)).isZero();
      int had = application.got.size();
      cluster.settle(application);
      assertThat(application.got).hasSize(had);
      assertThat(application.types()).containsExactly(ExecutionType.GUARANTEED);

      application.ask(2);
      application.await(had + 2);
      assertThat(typesFrom(had, application))
          .containsExactly(ExecutionType.OPPORTUNISTIC, ExecutionType.OPPORTUNISTIC);
    }
  }

  @Test
  @Tag("long")
  void whatIsHeldBackOfAnApplicationThatStopsBeingBestEffortComesOnce() throws Exception {
    configuration.set(BestEffortLimits.PER_QUEUE_KEY, "2");
    try (MockCluster cluster = MockCluster.start(configuration, 2)) {
      MockApplication application = cluster.submit("batch", "alice");
      application.ask(10);
      application.await(2);
      move(cluster, application, "production");

      application.ask(1);
      assertThat(guaranteedAsks(cluster, application)).isZero();
      cluster.end(List.copyOf(application.got), ContainerExitStatus.SUCCESS);
      application.await(3);
      cluster.settle(application);
      assertThat(application.got).hasSize(3);
      assertThat(application.types()).containsExactly(ExecutionType.OPPORTUNISTIC);

      application.ask(1);
      application.await(4);
      assertThat(typesFrom(3, application)).containsExactly(ExecutionType.GUARANTEED);
    }
  }

  private static List<ExecutionType> typesFrom(int index, MockApplication application) {
    return application.got.subList(index, application.got.size()).stream()
        .map(Container::getExecutionType)
        .toList();
  }

  private static int guaranteedAsks(MockCluster cluster, MockApplication application) {
    return ((AbstractYarnScheduler<?, ?>) cluster.resourceManager.getResourceScheduler())
        .getApplicationAttempt(application.id())
        .getOutstandingAsksCount(
            SchedulerRequestKey.create(MockApplication.ask(ResourceRequest.ANY, 1)));
  }

  private static void move(MockCluster cluster, MockApplication application, String queue)
      throws Exception {
    cluster
        .resourceManager
        .getClientRMService()
        .moveApplicationAcrossQueues(
            MoveApplicationAcrossQueuesRequest.newInstance(
                application.id().getApplicationId(), queue));
  }
}
