/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.stop.StopAction;
import io.charon.core.stop.StopKeys;
import io.charon.core.stop.StopOrder;
import io.charon.web.stop.ClusterStopFile;
import io.charon.web.stop.StopFile;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
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
  private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(OrderFile.CHECK_MILLIS);

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
  @Tag("long")
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
  @Tag("long")
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
  @Tag("must-never")
  @Tag("long")
  void aStopHoldsInALaterResourceManagerAlsoIfItsFileHasBecomeUnusable() throws Exception {
    configuration.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
    configuration.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 0);
    configuration.set(YarnConfiguration.RM_STORE, MemoryRMStateStore.class.getName());
    try (MockCluster cluster = MockCluster.start(configuration, 2)) {
      MockApplication application = cluster.submit("batch", "alice");
      application.ask(2);
      application.await(2);
      file.order(StopAction.KILL);
      file.writableFor("rwxrwxr-x");
      cluster.restart(configuration, application);
      application.ask(3);
      cluster.settle(application);
      assertThat(application.got).as("nobody has resumed").hasSize(2);

      file.writableFor("rwxr-xr-x");
      file.order(StopAction.NONE);
      application.await(5);
    }
  }

  @Test
  void whoeverCannotReadTheFileFromTheStartStopsAndTellsNoOrder() throws Exception {
    Files.writeString(file.path(), StopKeys.CLUSTER.action() + "=kil");
    AtomicLong nanos = new AtomicLong();
    List<StopOrder> news = new ArrayList<>();
    ClusterStop stop = stop(nanos::get, news::add);
    assertThat(stop.stops()).isTrue();
    assertThat(news).as("nobody gave an order").isEmpty();
    StopMessages messages = new StopMessages();
    byte[] told = messages.write(stop.state());
    assertThatThrownBy(() -> messages.order(told))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("'kil'");

    Files.delete(file.path());
    nanos.addAndGet(CHECK_NANOS);
    assertThat(stop.stops()).as("a missing file is no order").isFalse();
    assertThat(messages.order(messages.write(stop.state()))).isEqualTo(StopOrder.never());
    Files.writeString(file.path(), StopKeys.CLUSTER.action() + "=kil");
    nanos.addAndGet(CHECK_NANOS);
    assertThat(stop.state().problem()).isPresent();
    assertThat(stop.stops()).as("the last word holds").isFalse();
  }

  @Test
  void withoutAFileNothingIsStopped() {
    assertThat(ClusterStop.of(Optional.empty(), order -> {}).stops()).isFalse();
  }

  @Test
  void aFileSystemThatHangsHoldsUpOneCallerOnly() throws Exception {
    AtomicLong nanos = new AtomicLong();
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch hangs = new CountDownLatch(1);
    AtomicInteger reads = new AtomicInteger();
    ClusterStop stop =
        new ClusterStop(
            () -> {
              if (reads.incrementAndGet() > 1) {
                reading.countDown();
                await(hangs);
              }
              return new StopFile.State(
                  OrderFile.given(StopAction.LEAVE), 0, Optional.empty(), true);
            },
            nanos::get,
            order -> {});
    assertThat(stop.stops()).isTrue();
    ExecutorService callers = Executors.newFixedThreadPool(2);
    try {
      nanos.addAndGet(CHECK_NANOS);
      Future<Boolean> first = callers.submit(stop::stops);
      assertThat(reading.await(20, TimeUnit.SECONDS)).isTrue();
      nanos.addAndGet(CHECK_NANOS);
      assertThat(callers.submit(stop::stops).get(20, TimeUnit.SECONDS))
          .as("what was read last")
          .isTrue();
      assertThat(first).isNotDone();
      assertThat(reads).hasValue(2);
      hangs.countDown();
      assertThat(first.get(20, TimeUnit.SECONDS)).isTrue();
    } finally {
      hangs.countDown();
      callers.shutdownNow();
    }
  }

  @Test
  @Tag("long")
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
    ClusterStop stop = stop(nanos::get, order -> {});
    assertThat(stop.stops()).isFalse();
    Files.writeString(file.path(), StopKeys.CLUSTER.action() + "=leave");
    assertThat(stop.stops()).isFalse();
    nanos.addAndGet(CHECK_NANOS);
    assertThat(stop.stops()).isTrue();
  }

  private ClusterStop stop(LongSupplier nanoTime, Consumer<StopOrder> news) {
    StopFile read =
        new StopFile(
            Optional.of(ClusterStopFile.of(file.path(), System.getProperty("user.name"))),
            StopKeys.CLUSTER,
            Map.of());
    return new ClusterStop(read::check, nanoTime, news);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
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
