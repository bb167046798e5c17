/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static io.charon.it.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.charon.configure.ClusterStops;
import io.charon.configure.NodeOverrides;
import io.charon.configure.Orders;
import io.charon.core.stop.StopAction;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.config.OverridesFile;
import io.charon.status.ClusterAccess;
import io.charon.status.NodeAddress;
import io.charon.status.StatusClient;
import io.charon.web.stop.ClusterStopFile;
import io.charon.web.stop.ReloadOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An operator stops best-effort on real daemons during a burst of launches; the durations are
 * printed.
 */
@Tag("long")
@WritableCgroups
class StopIT {
  private static final String USER = System.getProperty("user.name");
  private static final String CHARON = "yarn.nodemanager.charon.";
  private static final String LIMIT = "yarn.resourcemanager.charon.best-effort.limit-per-user";
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  @TempDir private Path directory;

  @Test
  void nothingStartsSoonAfterAStopAndNothingIsLost() throws Exception {
    Path state = Files.createDirectory(directory.resolve("state"));
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (TestNode node =
        TestNode.start(
            "enforce",
            Map.of(
                CHARON + "killer.kernel.enabled",
                "false",
                // One start at a time, so that the burst outlasts the test.
                CHARON + "scheduler.starts-per-core",
                "0.01",
                ClusterStopFile.KEY,
                stopFile(state).toString(),
                "hadoop.http.filter.initializers",
                "org.apache.hadoop.http.lib.StaticUserWebFilter,"
                    + "io.charon.scheduler.resourcemanager.ClusterStopInitializer"),
            state)) {
      HoldJob job = node.submit(14, 0);
      await("a burst of launches has begun", () -> node.runningBestEffort().size() >= 2);
      stopsWithinASecond(node);
      outlivesARestart(node);
      freezesAndThaws(node);
      stopsTheCluster(node);
      readsTheResourceManagersKeysAgain(node);
      job.release();
      await("the job ends", job::isComplete);
      assertThat(job.isSuccessful()).as("wrong death: the job has lost tasks").isTrue();
      node.awaitNothingLeft();
      assertThat(node.actions())
          .extracting(line -> line.path("action").asText())
          .contains("leave", "freeze", "thaw", "kill", "resume");
    }
  }

  private void stopsWithinASecond(TestNode node) throws Exception {
    long asked = System.nanoTime();
    Orders.Given given = onNode(node, StopAction.LEAVE);
    double last = secondsToLastLaunch(node, asked, Duration.ofSeconds(3));
    System.out.printf(
        "stop on a node: confirmed after %.2f s, last launch after %.2f s%n",
        given.took().toMillis() / 1000.0, last);
    assertThat(last).as("seconds from the command to the last launch").isLessThan(1);
    assertThat(node.status().path("stop").path("by").asText()).isEqualTo("tester");
    assertThat(node.queued()).as("who waits keeps his place").isNotEmpty();
  }

  private void outlivesARestart(TestNode node) throws Exception {
    node.cluster().killNodeManager(0);
    node.cluster().startNodeManager(0);
    await(
        "the stop holds again",
        () -> node.status().path("stop").path("action").asText().equals("leave"));
    assertThat(secondsToLastLaunch(node, System.nanoTime(), Duration.ofSeconds(3)))
        .as("nothing starts")
        .isZero();
  }

  private void freezesAndThaws(TestNode node) throws Exception {
    long launched = node.counter("launched");
    onNode(node, StopAction.FREEZE);
    await("all that runs is frozen", () -> frozen(node) == node.runningBestEffort().size());
    Set<String> running = node.runningBestEffort();
    assertThat(running).isNotEmpty();
    for (String container : running) {
      Path cgroup = node.memoryCgroup().resolve("best-effort/" + container);
      await("the threads of " + container + " stand still", () -> Threads.areStalled(cgroup));
    }
    for (String master : node.productionCgroups()) {
      assertThat(Threads.areStalled(node.memoryCgroup().resolve("production/" + master)))
          .as("the ApplicationMaster %s stands still", master)
          .isFalse();
    }
    assertThat(node.counter("launched")).as("nothing starts meanwhile").isEqualTo(launched);

    onNode(node, StopAction.NONE);
    await("nobody is frozen", () -> frozen(node) == 0);
    for (String container : running) {
      Path cgroup = node.memoryCgroup().resolve("best-effort/" + container);
      await(container + " goes on", () -> !Threads.areStalled(cgroup));
    }
    assertThat(node.runningBestEffort()).as("wrong death: a frozen container").containsAll(running);
    await("others start", () -> node.counter("launched") > launched);
    assertThat(node.status().path("queued"))
        .noneMatch(container -> container.path("reason").asText().contains("operator"));
  }

  private static int frozen(TestNode node) throws Exception {
    return node.status().path("stop").path("frozen").asInt();
  }

  private void stopsTheCluster(TestNode node) throws Exception {
    long asked = System.nanoTime();
    Orders.Given given = inCluster(node, StopAction.KILL);
    double last = secondsToLastLaunch(node, asked, Duration.ofSeconds(8));
    System.out.printf(
        "stop of the cluster: confirmed after %.2f s, last launch on a node after %.2f s%n",
        given.took().toMillis() / 1000.0, last);
    assertThat(last).as("seconds from the command to the last launch").isLessThan(6);
    await("all best-effort tasks are killed", () -> node.runningBestEffort().isEmpty());
    assertThat(node.kills()).isNotEmpty();
    assertThat(node.kills())
        .as("wrong death: not by the order")
        .allMatch(kill -> kill.path("by").asText().equals("stop"));
    assertThat(node.productionCgroups()).as("wrong death: the ApplicationMaster").isNotEmpty();
    assertThat(node.status().path("stop").path("origin").asText()).isEqualTo("cluster");
    inCluster(node, StopAction.NONE);
    await("they run again", () -> !node.runningBestEffort().isEmpty());
  }

  /**
   * Changes yarn-site.xml in the daemon's own configuration directory, which is on its class path.
   */
  private static void readsTheResourceManagersKeysAgain(TestNode node) throws Exception {
    Path site =
        node.cluster().resourceManagerLog().resolveSibling("resourcemanager/conf/yarn-site.xml");
    String before = Files.readString(site);
    JsonNode refused = afterReload(node, site, before, "many");
    assertThat(refused.path("problems").toString())
        .contains("limit-per-user in yarn-site.xml", "'many'", "Cure");
    assertThat(refused.path("changed")).isEmpty();
    assertThat(afterReload(node, site, before, "1000").path("changed").toString())
        .contains(LIMIT, "\"from\":\"unlimited\",\"to\":\"1000\"");
    assertThat(Files.readString(node.cluster().resourceManagerLog()))
        .contains("Keys were read again by order of tester: changed [" + LIMIT);
  }

  private static JsonNode afterReload(TestNode node, Path site, String before, String limit)
      throws Exception {
    Files.writeString(
        site,
        before.replace(
            "</configuration>",
            "<property><name>%s</name><value>%s</value></property></configuration>"
                .formatted(LIMIT, limit)));
    Orders.Given given =
        new ClusterStops(ClusterAccess.of(Optional.empty()), TIMEOUT)
            .reload(
                NodeAddress.parse(node.cluster().web().replace("http://", "")),
                ClusterStopFile.of(stopFile(node.state()), USER),
                new ReloadOrder("tester", Instant.now()));
    assertThat(given.unconfirmed()).isEmpty();
    System.out.printf("reload: confirmed after %.2f s%n", given.took().toMillis() / 1000.0);
    return given.daemon();
  }

  /** Returns the seconds until the last launch; 0 if there is none. */
  private static double secondsToLastLaunch(TestNode node, long sinceNanos, Duration watched)
      throws Exception {
    long launched = node.counter("launched");
    double last = 0;
    long end = System.nanoTime() + watched.toNanos();
    while (System.nanoTime() < end) {
      long now = node.counter("launched");
      if (now > launched) {
        launched = now;
        last = (System.nanoTime() - sinceNanos) / (double) TimeUnit.SECONDS.toNanos(1);
      }
      Thread.sleep(20);
    }
    return last;
  }

  private static Orders.Given onNode(TestNode node, StopAction action) throws Exception {
    Orders.Given given =
        new NodeOverrides(new StatusClient(), TIMEOUT)
            .order(
                node.cluster().nodes().get(0).web(),
                new OverridesFile(node.state().resolve("overrides.properties"), USER),
                order(action));
    assertThat(given.unconfirmed()).isEmpty();
    return given;
  }

  private static Orders.Given inCluster(TestNode node, StopAction action) throws Exception {
    Orders.Given given =
        new ClusterStops(ClusterAccess.of(Optional.empty()), TIMEOUT)
            .order(
                NodeAddress.parse(node.cluster().web().replace("http://", "")),
                ClusterStopFile.of(stopFile(node.state()), USER),
                order(action));
    assertThat(given.unconfirmed()).isEmpty();
    return given;
  }

  private static StopOrder order(StopAction action) {
    return new StopOrder(action, "tester", Instant.now(), "a test");
  }

  private static Path stopFile(Path state) {
    return state.resolve("cluster-stop.properties");
  }
}
