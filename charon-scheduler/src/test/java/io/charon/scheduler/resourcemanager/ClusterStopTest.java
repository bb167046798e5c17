/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.stop.StopAction;
import io.charon.core.stop.StopOrder;
import io.charon.web.stop.ClusterStopFile;
import io.charon.web.stop.StopMessages;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a stop of the cluster in a complete ResourceManager with its real scheduler and allocator.
 */
@Timeout(120)
@Tag("hadoop")
class ClusterStopTest {
  @TempDir private Path directory;
  private final YarnConfiguration configuration = MockCluster.configuration();
  private final HttpClient client = HttpClient.newHttpClient();
  private OrderFile file;

  @BeforeEach
  void nameTheFile() throws IOException {
    file = new OrderFile(directory, "cluster-stop");
    configuration.set(ClusterStopFile.KEY, file.path().toString());
  }

  @Test
  @Tag("must-never")
  void nothingIsAllocatedWhileTheClusterIsStoppedAndNoAskIsLost() throws Exception {
    configuration.set(BestEffortLimits.ASKS_KEY, "20");
    try (MockCluster cluster = MockCluster.start(configuration, 2)) {
      MockApplication application = cluster.submit("batch", "alice");
      application.ask(300);
      application.await(20); // in the middle of a burst
      for (int times = 0; times < 3; times++) {
        file.order(StopAction.LEAVE);
        application.heartbeat();
        int got = application.got.size();
        cluster.settle(application);
        assertThat(application.got)
            .as("nothing comes, also not what YARN was asked for")
            .hasSize(got);
        file.order(StopAction.NONE);
        application.await(Math.min(300, got + 40));
      }
      application.await(300);
      cluster.settle(application);
      assertThat(application.got).as("each ask once").hasSize(300);
    }
  }

  @Test
  void aStopHoldsInAResourceManagerThatStartsLater() throws Exception {
    file.order(StopAction.LEAVE);
    try (MockCluster cluster = MockCluster.start(configuration, 2)) {
      MockApplication application = cluster.submit("batch", "alice");
      application.ask(5);
      cluster.settle(application);
      assertThat(application.got).isEmpty();
      file.order(StopAction.NONE);
      application.await(5);
    }
  }

  @Test
  void nodesAreToldByGetAloneAndTheRestOfTheWebServerIsAsBefore() throws Exception {
    configuration.setBoolean("mockrm.webapp.enabled", true);
    try (ServerSocket free = new ServerSocket(0)) {
      configuration.set(YarnConfiguration.RM_WEBAPP_ADDRESS, "127.0.0.1:" + free.getLocalPort());
    }
    configuration.set(
        HttpServer2.FILTER_INITIALIZER_PROPERTY, ClusterStopInitializer.class.getName());
    try (MockCluster cluster = MockCluster.start(new MockRM(configuration), 0)) {
      assertThat(cluster.nodes).as("whoever asks is answered").isEmpty();
      assertThat(told().stops()).isFalse();
      file.order(StopAction.KILL);
      assertThat(told()).isEqualTo(OrderFile.given(StopAction.KILL));
      Files.writeString(file.path(), "garbage");
      Thread.sleep(OrderFile.CHECK_MILLIS);
      assertThat(told().action()).as("the last word holds").isEqualTo(StopAction.KILL);
      assertThat(ask("/charon/stop", "POST").statusCode()).isEqualTo(405);
      assertThat(ask("/charon/stop", "PUT").statusCode()).isEqualTo(405);
      assertThat(ask("/conf", "GET").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void theFileIsLookedAtAFewTimesASecondHoweverOftenItIsAskedFor() throws Exception {
    AtomicLong nanos = new AtomicLong();
    ClusterStop stop = new ClusterStop(Optional.of(file.path()), nanos::get, order -> {});
    Files.writeString(file.path(), ClusterStopFile.PREFIX + "action=leave");
    assertThat(stop.stops()).isFalse();
    nanos.addAndGet(OrderFile.CHECK_MILLIS * 1_000_000);
    assertThat(stop.stops()).isTrue();
  }

  private StopOrder told() throws Exception {
    HttpResponse<String> answer = ask("/charon/stop", "GET");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new StopMessages().order(answer.body().getBytes(StandardCharsets.UTF_8));
  }

  private HttpResponse<String> ask(String path, String method) throws Exception {
    return client.send(
        HttpRequest.newBuilder(
                URI.create(
                    "http://" + configuration.get(YarnConfiguration.RM_WEBAPP_ADDRESS) + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
