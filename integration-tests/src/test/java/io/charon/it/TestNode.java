/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.charon.evaluation.cluster.CharonConfiguration;
import io.charon.evaluation.cluster.ClusterNode;
import io.charon.evaluation.cluster.ClusterSpec;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.YarnCluster;
import io.charon.status.StatusClient;
import io.charon.status.StatusException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A real cluster of one node or two, and what tests ask of its first one. */
final class TestNode implements AutoCloseable {
  static final long NODE_MEBIBYTES = 4096;

  /** So little that stock YARN has room for one best-effort task beside a job's master. */
  static final int RESERVABLE_MEBIBYTES = 1024;

  private static final long MEBIBYTE = 1024 * 1024;
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final long POLL_MILLIS = 200;

  private final Installation installation;
  private final YarnCluster cluster;
  private final StatusClient client = new StatusClient();

  private TestNode(Installation installation, YarnCluster cluster) {
    this.installation = installation;
    this.cluster = cluster;
  }

  /**
   * Starts a ResourceManager and one NodeManager.
   *
   * @param mode of Charon
   * @param overrides further properties of the daemons
   */
  static TestNode start(String mode, Map<String, String> overrides)
      throws IOException, InterruptedException {
    return start(spec(mode, overrides));
  }

  /** The same with CharonNodeManager as the NodeManager's main class. */
  static TestNode startCharonNodeManager(String mode, Map<String, String> overrides)
      throws IOException, InterruptedException {
    return start(spec(mode, overrides).withCharonNodeManager());
  }

  /** The same with two NodeManagers. */
  static TestNode startTwo(String mode, Map<String, String> overrides)
      throws IOException, InterruptedException {
    return start(spec(2, mode, overrides));
  }

  private static TestNode start(ClusterSpec spec) throws IOException, InterruptedException {
    Installation installation = Installation.locate();
    return new TestNode(installation, YarnCluster.start(installation, spec));
  }

  private static ClusterSpec spec(String mode, Map<String, String> overrides) {
    return spec(1, mode, overrides);
  }

  private static ClusterSpec spec(int nodes, String mode, Map<String, String> overrides) {
    Map<String, String> properties = new HashMap<>(CharonConfiguration.nodeManager(mode));
    properties.putAll(CharonConfiguration.resourceManager(List.of(HoldJob.QUEUE)));
    properties.putAll(overrides);
    return new ClusterSpec(
        nodes,
        NODE_MEBIBYTES * MEBIBYTE,
        RESERVABLE_MEBIBYTES,
        4,
        5,
        List.of(new ClusterSpec.Queue(HoldJob.QUEUE, 100, 4)),
        true,
        Optional.of("/charon-it-" + ProcessHandle.current().pid()),
        properties);
  }

  YarnCluster cluster() {
    return cluster;
  }

  HoldJob submit(int tasks, int firstAttemptMebibytes) throws Exception {
    return HoldJob.submit(cluster, installation, tasks, firstAttemptMebibytes);
  }

  JsonNode status() throws InterruptedException {
    try {
      return client.read(node().web());
    } catch (StatusException e) {
      return MissingNode.getInstance();
    }
  }

  long counter(String name) throws InterruptedException {
    return status().path("counters").path(name).asLong();
  }

  Set<String> runningBestEffort() throws InterruptedException {
    return StreamSupport.stream(status().path("running").spliterator(), false)
        .filter(container -> container.path("executionType").asText().equals("opportunistic"))
        .map(container -> container.path("containerId").asText())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  Set<String> queued() throws InterruptedException {
    return StreamSupport.stream(status().path("queued").spliterator(), false)
        .map(container -> container.path("containerId").asText())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Directory of the node's memory cgroup. */
  Path memoryCgroup() {
    return node().cgroup().orElseThrow().directory();
  }

  /** Cgroups of containers, in the memory hierarchy. */
  Set<String> containerCgroups() throws IOException {
    Set<String> names = new TreeSet<>();
    for (String side : List.of("production", "best-effort")) {
      Path directory = memoryCgroup().resolve(side);
      if (Files.isDirectory(directory)) {
        try (Stream<Path> children = Files.list(directory)) {
          children.filter(Files::isDirectory).forEach(c -> names.add(c.getFileName().toString()));
        }
      }
    }
    return names;
  }

  /** Waits until every container's cgroup and charge is gone. */
  void awaitNothingLeft() throws Exception {
    await("every container cgroup is removed", () -> containerCgroups().isEmpty());
    await("nothing is charged", () -> status().path("running").isEmpty());
  }

  String log() throws IOException {
    return Files.readString(cluster.nodeManagerLog(0));
  }

  /** Waits until a condition holds. */
  static void await(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + LIMIT.toSeconds() + " s: " + what);
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private ClusterNode node() {
    return cluster.nodes().get(0);
  }

  @Override
  public void close() {
    cluster.close();
  }
}
