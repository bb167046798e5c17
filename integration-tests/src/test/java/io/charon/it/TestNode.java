/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.configure.NodeOverrides;
import io.charon.evaluation.cluster.ClusterNode;
import io.charon.evaluation.cluster.ClusterSpec;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.YarnCluster;
import io.charon.evaluation.machine.TemporaryDirectory;
import io.charon.nodemanager.config.OverridesFile;
import io.charon.status.StatusClient;
import io.charon.status.StatusException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.client.api.YarnClient;

/** A real cluster of one or two nodes, and the queries of tests to the first node. */
final class TestNode implements AutoCloseable {
  static final long NODE_MEBIBYTES = 4096;

  /** Low enough that stock YARN has room for only one best-effort task beside a job's master. */
  static final int RESERVABLE_MEBIBYTES = 1024;

  /** Queue of production's applications in {@link #startWithProduction}. */
  static final String PRODUCTION_QUEUE = "production";

  /** File in a shared node's state with the hosts that the ResourceManager excludes. */
  static final String EXCLUDED = "excluded";

  private static final String CHARON = "yarn.nodemanager.charon.";
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final long POLL_MILLIS = 200;

  /** Working set of a task that is past the launch steps. */
  private static final long STARTED_BYTES = 32L << 20;

  /** Suffix of the names of containers that run ApplicationMasters. */
  private static final String MASTER = "_000001";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Installation installation;
  private final YarnCluster cluster;
  private final Optional<Path> state;
  private final StatusClient client = new StatusClient();
  private final YarnClient yarn = YarnClient.createYarnClient();
  private final Set<String> formerKills = new HashSet<>();
  private int formerActions;
  private boolean changed;

  private TestNode(Installation installation, YarnCluster cluster, Optional<Path> state) {
    this.installation = installation;
    this.cluster = cluster;
    this.state = state;
    yarn.init(cluster.clientConfiguration());
    yarn.start();
  }

  /**
   * Starts a ResourceManager and one NodeManager.
   *
   * @param mode mode of Charon
   * @param overrides further properties of the daemons
   */
  static TestNode start(String mode, Map<String, String> overrides)
      throws IOException, InterruptedException {
    return start(TestClusters.spec(mode, overrides), Optional.empty());
  }

  /**
   * Starts a node to be shared, whose settings can be changed and whose audit can be read.
   *
   * @param state empty directory for that purpose, which is removed with the node
   */
  static TestNode start(String mode, Map<String, String> overrides, Path state)
      throws IOException, InterruptedException {
    return start(TestClusters.spec(mode, withState(overrides, state)), Optional.of(state));
  }

  /**
   * Starts a node to be shared of another size, with a queue for production as well as for
   * best-effort.
   *
   * @param nodeMebibytes memory of the node
   */
  static TestNode startWithProduction(int nodeMebibytes, Map<String, String> overrides, Path state)
      throws IOException, InterruptedException {
    return start(
        TestClusters.withProduction(nodeMebibytes, withState(overrides, state)),
        Optional.of(state));
  }

  /**
   * Starts a node with LinuxContainerExecutor, whose containers belong to another user.
   *
   * @param work empty directory that this user may enter, which is removed with the node
   */
  static TestNode startLinux(Map<String, String> overrides, Path work)
      throws IOException, InterruptedException {
    Map<String, String> properties = new HashMap<>(ContainerProgram.properties());
    properties.putAll(overrides);
    Installation installation = Installation.locate();
    return new TestNode(
        installation,
        YarnCluster.start(
            installation, TestClusters.withProduction((int) NODE_MEBIBYTES, properties), work),
        Optional.empty());
  }

  /** Starts a node with CharonNodeManager as the NodeManager's main class. */
  static TestNode startCharonNodeManager(String mode, Map<String, String> overrides)
      throws IOException, InterruptedException {
    return start(TestClusters.spec(mode, overrides).withCharonNodeManager(), Optional.empty());
  }

  /** Starts two NodeManagers to be shared. */
  static TestNode startTwo(String mode, Map<String, String> overrides, Path state)
      throws IOException, InterruptedException {
    return start(TestClusters.spec(2, mode, overrides), Optional.of(state));
  }

  private static TestNode start(ClusterSpec spec, Optional<Path> state)
      throws IOException, InterruptedException {
    Installation installation = Installation.locate();
    return new TestNode(installation, YarnCluster.start(installation, spec), state);
  }

  private static Map<String, String> withState(Map<String, String> overrides, Path state) {
    Map<String, String> properties = new HashMap<>(overrides);
    properties.put(CHARON + "overrides-file", overridesFile(state).toString());
    properties.put(CHARON + "audit.directory", state.resolve("audit").toString());
    return properties;
  }

  private static Path overridesFile(Path state) {
    return state.resolve("overrides.properties");
  }

  YarnCluster cluster() {
    return cluster;
  }

  HoldJob submit(int tasks, int firstAttemptMebibytes) throws Exception {
    return HoldJob.submit(cluster, installation, tasks, firstAttemptMebibytes);
  }

  /** Returns the directory of a shared node's state. */
  Path state() {
    return state.orElseThrow();
  }

  /** Hides earlier kills and actions from the test that starts now. */
  void begin() throws IOException, InterruptedException {
    formerKills.clear();
    status().path("kills").forEach(kill -> formerKills.add(kill.path("containerId").asText()));
    formerActions = allActions().size();
  }

  /** Returns whether every daemon is running. */
  boolean isAlive() {
    try {
      cluster.requireAlive();
      return true;
    } catch (IOException ended) {
      return false;
    }
  }

  /** Changes keys, given without prefix, that can change at run time, until the test ends. */
  void change(Map<String, String> keys) throws Exception {
    changed = true;
    override(overrides -> keys.forEach((key, value) -> overrides.put(CHARON + key, value)));
  }

  /** Restores the initial values of all keys. */
  void revertChanges() throws Exception {
    if (changed) {
      override(Map::clear);
      changed = false;
    }
  }

  private void override(Consumer<Map<String, String>> change) throws Exception {
    OverridesFile file = new OverridesFile(overridesFile(state()), System.getProperty("user.name"));
    JsonNode read = new NodeOverrides(client, LIMIT).change(node().web(), file, change);
    assertThat(read.at("/configuration/needRestart")).as("keys that wait for a start").isEmpty();
  }

  /** Returns the kills that the node reports, oldest first. */
  List<JsonNode> kills() throws InterruptedException {
    return StreamSupport.stream(status().path("kills").spliterator(), false)
        .filter(kill -> !formerKills.contains(kill.path("containerId").asText()))
        .toList();
  }

  /** Returns the lines of the audit, oldest first. */
  List<JsonNode> actions() throws IOException {
    List<JsonNode> all = allActions();
    return all.subList(formerActions, all.size());
  }

  private List<JsonNode> allActions() throws IOException {
    List<JsonNode> actions = new ArrayList<>();
    Path audit = state().resolve("audit").resolve("audit.jsonl");
    if (Files.exists(audit)) {
      for (String line : Files.readAllLines(audit)) {
        actions.add(JSON.readTree(line));
      }
    }
    return actions;
  }

  /**
   * Returns the status. Waits until the node answers, because the lists and counters of a node that
   * does not answer would look empty.
   */
  JsonNode status() throws InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      try {
        return client.read(node().web());
      } catch (StatusException e) {
        if (!isAlive() || System.nanoTime() > end) {
          throw new AssertionError("the node does not answer", e);
        }
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  long counter(String name) throws InterruptedException {
    JsonNode counter = status().path("counters").path(name);
    assertThat(counter.isNumber()).as("the node has a counter %s", name).isTrue();
    return counter.asLong();
  }

  Set<String> runningBestEffort() throws InterruptedException {
    return bestEffort()
        .map(container -> container.path("containerId").asText())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Returns best-effort containers past YARN's launch steps, which are not resumed after a restart.
   */
  List<JsonNode> started() throws InterruptedException {
    return bestEffort()
        .filter(one -> one.path("workingSetBytes").asLong() > STARTED_BYTES)
        .toList();
  }

  /** Returns the container of {@link #started} that started last; waits until there is one. */
  String newest() throws Exception {
    AtomicReference<String> newest = new AtomicReference<>();
    await(
        "a best-effort container runs",
        () -> {
          started().stream()
              .min(Comparator.comparingDouble(one -> one.path("runningSeconds").asDouble()))
              .ifPresent(one -> newest.set(one.path("containerId").asText()));
          return newest.get() != null;
        });
    return newest.get();
  }

  /** Returns the running best-effort containers as the node reports them. */
  Stream<JsonNode> bestEffort() throws InterruptedException {
    return StreamSupport.stream(status().path("running").spliterator(), false)
        .filter(container -> container.path("executionType").asText().equals("opportunistic"));
  }

  Set<String> queued() throws InterruptedException {
    return StreamSupport.stream(status().path("queued").spliterator(), false)
        .map(container -> container.path("containerId").asText())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the directory of the node's memory cgroup. */
  Path memoryCgroup() {
    return node().cgroup().orElseThrow().directory();
  }

  /** Returns the names of the containers' cgroups in the memory hierarchy. */
  Set<String> containerCgroups() throws IOException {
    Set<String> names = productionCgroups();
    names.addAll(cgroups("best-effort"));
    return names;
  }

  /** Returns the cgroups of production containers, which must not be killed for memory. */
  Set<String> productionCgroups() throws IOException {
    return cgroups("production");
  }

  private Set<String> cgroups(String side) throws IOException {
    Path directory = memoryCgroup().resolve(side);
    if (!Files.isDirectory(directory)) {
      return new TreeSet<>();
    }
    try (Stream<Path> children = Files.list(directory)) {
      return children
          .filter(Files::isDirectory)
          .map(child -> child.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** Waits until all cgroups and charges of containers are gone. */
  void awaitNothingLeft() throws Exception {
    await(
        "every container cgroup is removed",
        () -> {
          endMastersOfEndedJobs();
          return containerCgroups().isEmpty();
        });
    await("nothing is charged", () -> status().path("running").isEmpty());
  }

  /** Kills the masters of ended jobs, because MapReduce's master sleeps for 5 s before it exits. */
  private void endMastersOfEndedJobs() throws Exception {
    for (String container : productionCgroups()) {
      if (container.endsWith(MASTER) && isEnded(container)) {
        Path processes = memoryCgroup().resolve("production/" + container + "/cgroup.procs");
        try {
          Files.readAllLines(processes).stream()
              .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
              .forEach(ProcessHandle::destroyForcibly);
        } catch (IOException endedByItself) {
          // The container has ended by itself.
        }
      }
    }
  }

  private boolean isEnded(String container) throws Exception {
    return yarn.getApplicationReport(
                ContainerId.fromString(container).getApplicationAttemptId().getApplicationId())
            .getFinalApplicationStatus()
        != FinalApplicationStatus.UNDEFINED;
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
    yarn.stop();
    cluster.close();
    if (state.isPresent()) {
      try {
        TemporaryDirectory.delete(state.get());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
