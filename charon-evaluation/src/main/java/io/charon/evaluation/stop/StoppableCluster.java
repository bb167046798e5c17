/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.stop;

import io.charon.configure.ClusterStops;
import io.charon.configure.NodeOverrides;
import io.charon.configure.Orders;
import io.charon.core.stop.StopAction;
import io.charon.core.stop.StopOrder;
import io.charon.evaluation.cluster.CharonConfiguration;
import io.charon.evaluation.cluster.ClusterNode;
import io.charon.evaluation.cluster.ClusterSpec;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.YarnCluster;
import io.charon.evaluation.demo.DemoSettings;
import io.charon.evaluation.demo.TaskMaster;
import io.charon.evaluation.demo.TaskSubmission;
import io.charon.nodemanager.config.KernelKillerSettings;
import io.charon.nodemanager.config.OverridesFile;
import io.charon.nodemanager.config.SchedulerKeys;
import io.charon.nodemanager.config.SettingsReader;
import io.charon.status.ClusterAccess;
import io.charon.status.NodeAddress;
import io.charon.status.StatusClient;
import io.charon.status.StatusException;
import io.charon.web.stop.ClusterStopFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A ResourceManager and a NodeManager on this machine that launch short best-effort tasks without
 * end, and obey the orders of an operator.
 */
final class StoppableCluster implements AutoCloseable {
  private static final String USER = System.getProperty("user.name");

  /** Memory of the node, bytes. */
  static final long NODE_BYTES = 2L << 30;

  private static final int OFFERED_MB = 1024;
  private static final int VIRTUAL_CORES = 16;
  private static final int QUEUE_LIMIT = 20;
  private static final int TASK_MB = 64;

  /** More tasks than a run launches. */
  private static final int TASKS = 20_000;

  private static final String TASK = "sleep 1";
  private static final Duration CONFIRMATION_LIMIT = Duration.ofSeconds(30);

  private final StatusClient client = new StatusClient();
  private final Path state;
  private final YarnCluster cluster;

  private StoppableCluster(Path state, YarnCluster cluster) {
    this.state = state;
    this.cluster = cluster;
  }

  /**
   * Starts the cluster and its tasks.
   *
   * @param state empty directory for the files of orders, writable only by this user
   * @param cgroupRoot cgroup of the node; empty if this machine has no writable cgroups
   */
  static StoppableCluster start(Path state, Optional<String> cgroupRoot)
      throws IOException, InterruptedException {
    Installation installation = Installation.locate();
    YarnCluster cluster = YarnCluster.start(installation, spec(state, cgroupRoot));
    StoppableCluster started = new StoppableCluster(state, cluster);
    try {
      new TaskSubmission(cluster, installation, "burst", TASK_MB)
          .submit(started.node().hostName(), Collections.nCopies(TASKS, TaskMaster.line(0, TASK)));
      return started;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private static ClusterSpec spec(Path state, Optional<String> cgroupRoot) {
    Map<String, String> properties = new HashMap<>(CharonConfiguration.nodeManager("enforce"));
    properties.putAll(CharonConfiguration.resourceManager(List.of(DemoSettings.BEST_EFFORT_QUEUE)));
    properties.put(KernelKillerSettings.ENABLED, "false");
    // One start at a time, so that tasks always wait on the node: it must stop by itself.
    properties.put(SchedulerKeys.STARTS_PER_CORE, "0.01");
    properties.put(SettingsReader.OVERRIDES_FILE, overrides(state).toString());
    properties.put(ClusterStopFile.KEY, clusterStop(state).toString());
    properties.put(
        "hadoop.http.filter.initializers",
        "org.apache.hadoop.http.lib.StaticUserWebFilter,"
            + "io.charon.scheduler.resourcemanager.ClusterStopInitializer");
    return new ClusterSpec(
        1,
        new ClusterSpec.Node(NODE_BYTES, OFFERED_MB, VIRTUAL_CORES, QUEUE_LIMIT),
        List.of(new ClusterSpec.Queue(DemoSettings.BEST_EFFORT_QUEUE, 100, 1)),
        false,
        cgroupRoot,
        properties);
  }

  private static Path overrides(Path state) {
    return state.resolve("overrides.properties");
  }

  private static Path clusterStop(Path state) {
    return state.resolve("cluster-stop.properties");
  }

  private ClusterNode node() {
    return cluster.nodes().get(0);
  }

  /** Returns how many best-effort containers the node has launched since it started. */
  long launched() throws IOException, InterruptedException {
    try {
      return client.read(node().web()).path("counters").path("launched").asLong();
    } catch (StatusException e) {
      throw new IOException("the node does not answer: " + e.getMessage(), e);
    }
  }

  /**
   * Gives an order.
   *
   * @return the time until the daemon confirmed it
   * @throws IOException if the daemon does not confirm it
   */
  Duration order(StopScope scope, StopAction action) throws IOException, InterruptedException {
    StopOrder order = new StopOrder(action, USER, Instant.now(), "charon bench stop");
    try {
      Orders.Given given = scope == StopScope.NODE ? onNode(order) : inCluster(order);
      if (given.unconfirmed().isPresent()) {
        throw new IOException("the order is not confirmed: " + given.unconfirmed().get());
      }
      return given.took();
    } catch (NodeOverrides.RefusedException e) {
      throw new IOException("the order is refused: " + e.getMessage(), e);
    }
  }

  private Orders.Given onNode(StopOrder order)
      throws NodeOverrides.RefusedException, IOException, InterruptedException {
    return new NodeOverrides(client, CONFIRMATION_LIMIT)
        .order(node().web(), new OverridesFile(overrides(state), USER), order);
  }

  private Orders.Given inCluster(StopOrder order)
      throws NodeOverrides.RefusedException, IOException, InterruptedException {
    return new ClusterStops(ClusterAccess.of(Optional.empty()), CONFIRMATION_LIMIT)
        .order(
            NodeAddress.parse(URI.create(cluster.web()).getAuthority()),
            ClusterStopFile.of(clusterStop(state), USER),
            order);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
