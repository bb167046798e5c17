/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static io.charon.scheduler.resourcemanager.MockApplication.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.InvalidResourceRequestException;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Tests the limits in a complete ResourceManager with its real scheduler and allocator. */
@Timeout(120)
@Tag("hadoop")
class BestEffortLimitsTest {

  private static final int MILLION = 1_000_000;

  private final YarnConfiguration configuration = MockCluster.configuration();
  private MockCluster cluster;

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  @Tag("long")
  void whatAQueuesLimitHoldsBackComesWhenContainersEnd() throws Exception {
    configuration.set(BestEffortLimits.PER_QUEUE_KEY, "4");
    cluster = MockCluster.start(configuration, 2);
    MockApplication application = cluster.submit("batch", "alice");

    application.ask(10);
    application.await(4);
    cluster.settle(application);
    assertThat(application.got).hasSize(4);

    cluster.end(application.got.subList(0, 3), ContainerExitStatus.SUCCESS);
    application.await(7);
    cluster.settle(application);
    assertThat(application.got).hasSize(7);
    assertThat(application.types()).containsExactly(ExecutionType.OPPORTUNISTIC);
  }

  @Test
  @Tag("long")
  void aUsersLimitHoldsInAllQueuesAndOthersAreNotBlocked() throws Exception {
    configuration.set(BestEffortLimits.PER_USER_KEY, "3");
    cluster = MockCluster.start(configuration, 2);
    MockApplication first = cluster.submit("batch", "alice");
    MockApplication second = cluster.submit("nightly", "alice");
    MockApplication bobs = cluster.submit("batch", "bob");

    first.ask(10);
    first.await(3);
    second.ask(10);
    bobs.ask(2);
    bobs.await(2);
    cluster.settle(first, second, bobs);

    assertThat(first.got.size() + second.got.size()).isEqualTo(3);
  }

  @Test
  @Tag("long")
  void aLimitOfOneQueueReplacesTheGeneralOne() throws Exception {
    configuration.set(BestEffortLimits.PER_QUEUE_KEY, "1");
    configuration.set(BestEffortLimits.PER_QUEUE_KEY + ".root.nightly", "5");
    cluster = MockCluster.start(configuration, 2);
    MockApplication batch = cluster.submit("batch", "alice");
    MockApplication nightly = cluster.submit("nightly", "alice");

    batch.ask(10);
    nightly.ask(10);
    nightly.await(5);
    cluster.settle(batch, nightly);

    assertThat(batch.got).hasSize(1);
    assertThat(nightly.got).hasSize(5);
  }

  @Test
  void roomThatComesIsSharedByTheApplicationsThatWait() throws Exception {
    configuration.set(BestEffortLimits.PER_QUEUE_KEY, "6");
    cluster = MockCluster.start(configuration, 2);
    MockApplication first = cluster.submit("batch", "alice");
    MockApplication second = cluster.submit("batch", "bob");
    first.ask(MILLION);
    first.await(6);
    second.ask(MILLION);
    cluster.settle(first, second);
    assertThat(second.got).isEmpty();

    cluster.end(List.copyOf(first.got), ContainerExitStatus.SUCCESS);
    second.await(3);
    cluster.settle(first, second);

    assertThat(first.got).hasSize(6 + 3);
    assertThat(second.got).hasSize(3);
  }

  @Test
  @Tag("long")
  void withoutAnyLimitTheNextUserTakesWhatTheFirstOneGivesBack() throws Exception {
    cluster = MockCluster.start(new MockRM(configuration), 2, OptionalInt.of(10));
    MockApplication first = cluster.submit("batch", "alice");
    MockApplication second = cluster.submit("nightly", "bob");
    first.ask(MILLION);
    first.await(20);
    second.ask(MILLION);
    cluster.settle(first, second);
    assertThat(second.got).isEmpty();

    untilTheFirstAsksForNoMore(first, second);
    for (int i = 0; i < 10; i++) {
      cluster.end(first.got.subList(i, i + 1), ContainerExitStatus.SUCCESS);
      int more = i + 1;
      cluster.until(
          "the second one has " + more,
          () -> {
            first.heartbeat();
            second.heartbeat();
            return second.got.size() == more;
          });
    }
    assertThat(first.got).as("above its share it gets nothing more").hasSize(20);
  }

  private void untilTheFirstAsksForNoMore(MockApplication first, MockApplication second)
      throws Exception {
    cluster.until(
        "the first one asks for no more than its share",
        () -> {
          first.heartbeat();
          second.heartbeat();
          return askedOfYarn(first) == 0;
        });
  }

  /** YARN's NodeManager counts a container that is promoted while it runs among them for ever. */
  @Test
  void theNumbersOfRunningContainersThatNodesReportGiveNobodyMore() throws Exception {
    cluster = MockCluster.start(new MockRM(configuration), 2, OptionalInt.of(10));
    cluster.reportedRunning = 1_000;
    MockApplication first = cluster.submit("batch", "alice");
    MockApplication second = cluster.submit("nightly", "bob");
    first.ask(1_000);
    first.await(20);
    second.ask(1_000);

    untilTheFirstAsksForNoMore(first, second);
  }

  @Test
  @Tag("long")
  void aMillionContainersAreAskedForInPortions() throws Exception {
    configuration.set(BestEffortLimits.ASKS_KEY, "7");
    cluster = MockCluster.start(configuration, 2);
    MockApplication application = cluster.submit("batch", "alice");

    application.ask(MILLION);
    int before = application.got.size();
    assertThat(before).isLessThanOrEqualTo(7);
    assertThat(askedOfYarn(application)).isLessThanOrEqualTo(7);
    for (int i = 0; i < 5; i++) {
      int had = application.got.size();
      application.await(had + 1);
      assertThat(application.got.size() - had).isLessThanOrEqualTo(2 * 7);
    }
  }

  @Test
  @Tag("long")
  void tooManyDistinctRequestsAreRefusedWithTheKeyAndDoNoHarm() throws Exception {
    configuration.set(BestEffortLimits.RECORDS_KEY, "100");
    cluster = MockCluster.start(configuration, 2);
    MockApplication application = cluster.submit("batch", "alice");
    List<ResourceRequest> requests = new ArrayList<>();
    for (int i = 0; i < 101; i++) {
      ResourceRequest request = ask(ResourceRequest.ANY, 1);
      request.setAllocationRequestId(i);
      requests.add(request);
    }

    assertThatThrownBy(() -> application.ask(requests.toArray(new ResourceRequest[0])))
        .isInstanceOf(InvalidResourceRequestException.class)
        .hasMessageContaining(BestEffortLimits.RECORDS_KEY)
        .hasMessageContaining("101 distinct requests");
    application.ask(2);
    application.await(2);
    cluster.settle(application);
    assertThat(application.got).hasSize(2);
  }

  @Test
  @Tag("long")
  void heldBackAsksAreTakenBackAndChangedByTheApplication() throws Exception {
    configuration.set(BestEffortLimits.PER_QUEUE_KEY, "2");
    cluster = MockCluster.start(configuration, 2);
    MockApplication application = cluster.submit("batch", "alice");
    application.ask(10);
    application.await(2);

    application.ask(1);
    cluster.end(List.copyOf(application.got), ContainerExitStatus.SUCCESS);
    application.await(3);
    cluster.settle(application);
    assertThat(application.got).hasSize(3);

    application.ask(5);
    application.ask(0);
    int had = application.got.size();
    cluster.end(application.got.subList(2, 3), ContainerExitStatus.SUCCESS);
    cluster.settle(application);
    assertThat(application.got).hasSize(had);
    assertThat(askedOfYarn(application)).isZero();
  }

  @Test
  @Tag("long")
  void heldBackAsksKeepTheirPlaces() throws Exception {
    configuration.set(BestEffortLimits.PER_QUEUE_KEY, "2");
    cluster = MockCluster.start(configuration, 3);
    MockApplication application = cluster.submit("batch", "alice");

    application.ask(ask("127.0.0.3", 8), ask("/default-rack", 8), ask(ResourceRequest.ANY, 8));
    for (int wave = 1; wave <= 4; wave++) {
      application.await(2 * wave);
      cluster.end(application.got.subList(2 * wave - 2, 2 * wave), ContainerExitStatus.SUCCESS);
    }
    cluster.settle(application);

    assertThat(application.hosts()).hasSize(8).containsOnly("127.0.0.3");
  }

  @Test
  @Tag("long")
  void promotionPassesAndMakesRoom() throws Exception {
    configuration.set(BestEffortLimits.PER_QUEUE_KEY, "2");
    cluster = MockCluster.start(configuration, 2);
    MockApplication application = cluster.submit("batch", "alice");
    application.ask(3);
    application.await(2);
    Container promoted = application.got.get(0);
    cluster.running(promoted);

    UpdateContainerRequest promotion =
        UpdateContainerRequest.newInstance(
            promoted.getVersion(),
            promoted.getId(),
            ContainerUpdateType.PROMOTE_EXECUTION_TYPE,
            null,
            ExecutionType.GUARANTEED);
    application.allocate(AllocateRequest.newBuilder().updateRequests(List.of(promotion)).build());
    application.await(3);

    assertThat(cluster.resourceManager.getResourceScheduler().getRMContainer(promoted.getId()))
        .extracting(container -> container.getExecutionType())
        .isEqualTo(ExecutionType.GUARANTEED);
  }

  @Test
  @Tag("long")
  void whatIsReleasedMakesRoom() throws Exception {
    configuration.set(BestEffortLimits.PER_QUEUE_KEY, "2");
    cluster = MockCluster.start(configuration, 2);
    MockApplication application = cluster.submit("batch", "alice");
    application.ask(4);
    application.await(2);

    application.release(application.got.stream().map(Container::getId).toList());
    application.await(4);
  }

  @Test
  void anAttemptsFailureGivesBackWhatItHeld() throws Exception {
    configuration.set(BestEffortLimits.PER_QUEUE_KEY, "2");
    cluster = MockCluster.start(configuration, 2);
    MockApplication failing = cluster.submit("batch", "alice");
    MockApplication waiting = cluster.submit("batch", "bob");
    failing.ask(MILLION);
    failing.await(2);
    waiting.ask(2);
    cluster.settle(waiting);
    assertThat(waiting.got).isEmpty();

    cluster.resourceManager.failApplicationAttempt(failing.id());
    waiting.await(2);
  }

  @Test
  void aKilledApplicationGivesBackWhatItHeld() throws Exception {
    configuration.set(BestEffortLimits.PER_USER_KEY, "2");
    cluster = MockCluster.start(configuration, 2);
    MockApplication killed = cluster.submit("batch", "alice");
    MockApplication waiting = cluster.submit("nightly", "alice");
    killed.ask(MILLION);
    killed.await(2);
    waiting.ask(2);

    cluster.resourceManager.killApp(killed.id().getApplicationId());
    cluster.resourceManager.waitForState(killed.id().getApplicationId(), RMAppState.KILLED);
    waiting.await(2);
  }

  @Test
  @Tag("long")
  void oneLineSaysWhatIsHeldBackAndWhy() throws Exception {
    configuration.set(BestEffortLimits.PER_QUEUE_KEY + ".batch", "2");
    cluster = MockCluster.start(configuration, 2);
    MockApplication application = cluster.submit("batch", "alice");
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(QuotaEnforcer.class));
    try {
      application.ask(10);
      cluster.settle(application);
    } finally {
      log.stopCapturing();
    }
    assertThat(log.getOutput())
        .containsOnlyOnce(
            application.id().getApplicationId()
                + " wants 10 best-effort containers, 2 of them are requested now, because "
                + BestEffortLimits.PER_QUEUE_KEY
                + ".batch is 2 and 2 are outstanding in queue root.batch");
  }

  @Test
  @Tag("long")
  void guaranteedContainersOfOtherQueuesAreNotLimited() throws Exception {
    configuration.set(BestEffortLimits.PER_QUEUE_KEY, "0");
    cluster = MockCluster.start(configuration, 2);
    MockApplication production = cluster.submit("production", "alice");
    production.ask(3);
    production.await(3);
    assertThat(production.types()).containsExactly(ExecutionType.GUARANTEED);
  }

  @Test
  @Tag("long")
  void afterARestartTheMasterAsksAnewAndRunningContainersCount() throws Exception {
    configuration.set(BestEffortLimits.PER_QUEUE_KEY, "3");
    configuration.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
    configuration.setBoolean(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_ENABLED, true);
    configuration.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 0);
    configuration.set(YarnConfiguration.RM_STORE, MemoryRMStateStore.class.getName());
    cluster = MockCluster.start(configuration, 2);
    MockApplication application = cluster.submit("batch", "alice");
    application.ask(10);
    application.await(3);
    for (Container container : application.got) {
      cluster.running(container);
    }

    cluster.restart(configuration, application);
    application.ask(7);
    cluster.settle(application);
    assertThat(application.got).hasSize(3);

    cluster.end(application.got.subList(0, 1), ContainerExitStatus.SUCCESS);
    application.await(4);
    cluster.settle(application);
    assertThat(application.got).hasSize(4);
  }

  private int askedOfYarn(MockApplication application) {
    SchedulerApplicationAttempt attempt =
        ((AbstractYarnScheduler<?, ?>) cluster.resourceManager.getResourceScheduler())
            .getApplicationAttempt(application.id());
    return attempt.getOpportunisticContainerContext().getOutstandingOpReqs().values().stream()
        .flatMap(sized -> sized.values().stream())
        .mapToInt(ask -> ask.getRequest().getNumContainers())
        .sum();
  }
}
