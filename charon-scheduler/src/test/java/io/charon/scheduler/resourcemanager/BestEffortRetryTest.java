/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests where containers that replace killed ones are placed, in a complete ResourceManager. */
@Timeout(120)
@Tag("hadoop")
class BestEffortRetryTest {

  private static final int RETRIES = 20;

  private final YarnConfiguration configuration = MockCluster.configuration();
  private MockCluster cluster;

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void aRetryGoesToAnotherNodeAlsoIfItNamesTheOldOne() throws Exception {
    configuration.set(NodeAvoidance.AVOID_KEY, "600000");
    cluster = MockCluster.start(configuration, 3);
    MockApplication application = cluster.submit("batch", "alice");
    String killer = killFirstContainer(application);

    application.ask(MockApplication.ask(killer, RETRIES), MockApplication.ask("*", RETRIES));
    application.await(1 + RETRIES);

    assertThat(application.hosts().subList(1, 1 + RETRIES)).doesNotContain(killer);
  }

  @Test
  void otherApplicationsStillGoThere() throws Exception {
    configuration.set(NodeAvoidance.AVOID_KEY, "600000");
    cluster = MockCluster.start(configuration, 3);
    MockApplication application = cluster.submit("batch", "alice");
    String killer = killFirstContainer(application);

    MockApplication other = cluster.submit("batch", "alice");
    other.ask(MockApplication.ask(killer, 1), MockApplication.ask("*", 1));
    other.await(1);
    assertThat(other.hosts()).containsExactly(killer);
  }

  @Test
  void aNodeIsAvoidedNoLongerThanConfigured() throws Exception {
    configuration.set(NodeAvoidance.AVOID_KEY, "1");
    cluster = MockCluster.start(configuration, 3);
    MockApplication application = cluster.submit("batch", "alice");
    String killer = killFirstContainer(application);

    Thread.sleep(5);
    application.ask(MockApplication.ask(killer, 1), MockApplication.ask("*", 1));
    application.await(2);
    assertThat(application.hosts()).containsExactly(killer, killer);
  }

  @Test
  void onAClusterOfOneNodeRetriesStillRun() throws Exception {
    configuration.set(NodeAvoidance.AVOID_KEY, "600000");
    cluster = MockCluster.start(configuration, 1);
    MockApplication application = cluster.submit("batch", "alice");
    killFirstContainer(application);

    application.ask(2);
    application.await(3);
  }

  private String killFirstContainer(MockApplication application) throws Exception {
    application.ask(1);
    application.await(1);
    Container container = application.got.get(0);
    cluster.end(List.of(container), ContainerExitStatus.PREEMPTED);
    cluster.until(
        "the application hears of the kill",
        () -> {
          application.heartbeat();
          return !application.ended.isEmpty();
        });
    return container.getNodeId().getHost();
  }
}
