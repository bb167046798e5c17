/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.stop.StopAction;
import io.charon.web.stop.ClusterStopFile;
import io.charon.web.stop.StopMessages;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.yarn.FileSystemBasedConfigurationProvider;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a stop of the cluster in a highly available pair of ResourceManagers that fails over
 * manually and back, during a burst. Each has its own file, as on a separate host.
 */
@Timeout(120)
@Tag("hadoop")
class ClusterStopFailoverTest {
  private static final List<String> IDS = List.of("rm1", "rm2");
  private static final int ALL = 120;

  @TempDir private Path directory;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<String, String> webAddresses = new HashMap<>();
  private final Map<String, OrderFile> files = new HashMap<>();

  @Test
  @Tag("must-never")
  @Tag("long")
  void nothingIsAllocatedAfterAFailoverEitherAndNoAskIsLost() throws Exception {
    for (String id : IDS) {
      try (ServerSocket free = new ServerSocket(0)) {
        webAddresses.put(id, "127.0.0.1:" + free.getLocalPort());
      }
    }
    MockRM first = resourceManager("rm1");
    MockRM second = resourceManager("rm2");
    try (MockCluster cluster = MockCluster.start(first, 2)) {
      second.start();
      try {
        MockApplication application = cluster.submit("batch", "alice");
        application.ask(ALL);
        application.await(20); // in the middle of a burst
        files.get("rm1").order(StopAction.LEAVE);
        files.get("rm2").order(StopAction.LEAVE);
        application.heartbeat();
        int got = application.got.size();
        assertThat(got).as("there is something left to hold").isLessThan(ALL);
        nothingComes(cluster, application);

        RMContext former = first.getRMContext();
        Configuration held = former.getYarnConfiguration();
        failOver(cluster, second, application);
        nothingComes(cluster, application);
        assertThat(told("rm1")).as("told by who is standby now").isEqualTo(StopAction.LEAVE);
        assertThat(told("rm2")).isEqualTo(StopAction.LEAVE);

        files.get("rm2").order(StopAction.NONE);
        application.await(got + 20);
        failOver(cluster, first, application);
        nothingComes(cluster, application);
        assertThat(told("rm1")).as("its own file still stops it").isEqualTo(StopAction.LEAVE);
        assertThat(told("rm2")).isEqualTo(StopAction.NONE);
        assertThat(first.getRMContext()).isNotSameAs(former);
        assertThat(first.getRMContext().getYarnConfiguration())
            .as("what keeps reloaded keys")
            .isSameAs(held);

        files.get("rm1").order(StopAction.NONE);
        application.await(ALL);
        cluster.settle(application);
        assertThat(application.got).as("each ask once").hasSize(ALL);
        assertThat(application.got).extracting(Container::getId).doesNotHaveDuplicates();
      } finally {
        first.stop();
        second.stop();
      }
    }
  }

  private static void nothingComes(MockCluster cluster, MockApplication application)
      throws Exception {
    int got = application.got.size();
    cluster.settle(application);
    assertThat(application.got).as("nothing comes").hasSize(got);
  }

  /** Fails over; the application then requests the missing containers again, as it has to. */
  private static void failOver(MockCluster cluster, MockRM to, MockApplication application)
      throws Exception {
    cluster.failOver(to, application);
    application.ask(ALL - application.got.size());
  }

  private MockRM resourceManager(String id) throws Exception {
    YarnConfiguration configuration = MockCluster.configuration();
    configuration.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
    configuration.set(YarnConfiguration.RM_HA_IDS, String.join(",", IDS));
    configuration.set(YarnConfiguration.RM_HA_ID, id);
    configuration.setBoolean(YarnConfiguration.AUTO_FAILOVER_ENABLED, false);
    for (String each : IDS) {
      for (String key : YarnConfiguration.getServiceAddressConfKeys(configuration)) {
        configuration.set(key + "." + each, "127.0.0.1:0");
      }
      configuration.set(YarnConfiguration.RM_WEBAPP_ADDRESS + "." + each, webAddresses.get(each));
    }
    configuration.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
    configuration.set(YarnConfiguration.RM_STORE, FileSystemRMStateStore.class.getName());
    configuration.set(
        YarnConfiguration.FS_RM_STATE_STORE_URI, directory.resolve("store").toUri().toString());
    configuration.setBoolean("mockrm.webapp.enabled", true);
    configuration.set(
        HttpServer2.FILTER_INITIALIZER_PROPERTY, ClusterStopInitializer.class.getName());
    files.put(id, new OrderFile(directory, id));
    configuration.set(ClusterStopFile.KEY, files.get(id).path().toString());
    configuration.set(BestEffortLimits.ASKS_KEY, "20");
    keepForTransitions(configuration, id);
    return new MockRM(configuration);
  }

  /** Stores the configuration, because a ResourceManager that becomes active reads it again. */
  private void keepForTransitions(YarnConfiguration configuration, String id) throws IOException {
    Path files = Files.createDirectory(directory.resolve(id));
    configuration.set(
        YarnConfiguration.RM_CONFIGURATION_PROVIDER_CLASS,
        FileSystemBasedConfigurationProvider.class.getName());
    configuration.set(YarnConfiguration.FS_BASED_RM_CONF_STORE, files.toUri().toString());
    for (String name :
        List.of(
            YarnConfiguration.YARN_SITE_CONFIGURATION_FILE,
            YarnConfiguration.CS_CONFIGURATION_FILE)) {
      try (var out = Files.newOutputStream(files.resolve(name))) {
        configuration.writeXml(out);
      }
    }
  }

  /** Returns the action that this ResourceManager, active or not, reports to a node. */
  private StopAction told(String id) throws Exception {
    HttpResponse<byte[]> answer =
        client.send(
            HttpRequest.newBuilder(URI.create("http://" + webAddresses.get(id) + StopMessages.PATH))
                .timeout(Duration.ofSeconds(20))
                .build(),
            HttpResponse.BodyHandlers.ofByteArray());
    assertThat(answer.statusCode()).isEqualTo(200);
    return new StopMessages().order(answer.body()).action();
  }
}
