/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.stop;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchQueue;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.Owner;
import io.charon.core.scheduler.PeakProfile;
import io.charon.core.scheduler.SnapshotLaunchPolicy;
import io.charon.core.stop.StopAction;
import io.charon.core.stop.StopKeys;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.config.StopSettings;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.audit.AuditLog;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import io.charon.web.stop.StopFile;
import io.charon.web.trust.TrustedProperties;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests orders and a launch gate that follows them. */
class NodeStopTest {
  private static final long MIB = 1L << 20;
  private static final StopKeys KEYS =
      new StopKeys("a.stop.action", "a.stop.by", "a.stop.since", "a.stop.reason");
  private static final URI SERVER = URI.create("http://rm:8088");

  @TempDir private Path directory;
  private final AtomicInteger resumed = new AtomicInteger();
  private final AtomicReference<StopOrder> said = new AtomicReference<>(StopOrder.never());
  private final ClusterOrders cluster =
      new ClusterOrders(
          new StopSettings(List.of(SERVER), Duration.ofHours(1), Optional.empty()),
          server -> said.get(),
          Clock.systemUTC());
  private final NodeMetrics metrics = new NodeMetrics();
  private Path path;
  private long nanos;
  private long modifiedMillis = 1_000_000;
  private LaunchGate gate;
  private boolean decides = true;
  private NodeStop stop;

  @BeforeEach
  void stopNothing() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    path = directory.resolve("overrides.properties");
    restart();
  }

  @Test
  @Tag("must-never")
  void anOrderGivenWhileYarnDecidesHoldsWhenTheModeChanges() throws IOException {
    decides = false;
    order(StopAction.LEAVE, "alice");
    stop.checkOrders();
    assertThat(stop.state().unavailable())
        .hasValueSatisfying(why -> assertThat(why).contains("stock YARN decides"));

    decides = true;
    gate.restart(scheduler(), "mode enforce");
    observe();

    assertThat(request("c1").outcome()).isEqualTo(LaunchDecision.Outcome.QUEUED);
    assertThat(resumed).hasValue(0);
  }

  @Test
  void nothingStartsWhileTheNodeIsStoppedAndWhatWaitsStartsAfterwards() throws IOException {
    assertThat(request("c1").outcome()).isEqualTo(LaunchDecision.Outcome.LAUNCHED);
    order(StopAction.LEAVE, "alice");
    stop.checkOrders();
    LaunchDecision decision = request("c2");
    assertThat(decision.outcome()).isEqualTo(LaunchDecision.Outcome.QUEUED);
    assertThat(decision.verdict().reason()).isEqualTo(LaunchVerdict.Reason.STOPPED);
    assertThat(gate.view().launchableBytes()).isZero();
    assertThat(gate.runningOldestFirst()).as("what runs goes on").containsExactly("c1");
    assertThat(stop.state().order().by()).isEqualTo("alice");

    order(StopAction.NONE, "bob");
    stop.checkOrders();
    assertThat(resumed).hasValue(1);
    assertThat(request("c2").outcome()).isEqualTo(LaunchDecision.Outcome.LAUNCHED);
    stop.checkOrders();
    assertThat(resumed).as("once").hasValue(1);
  }

  @Test
  void productionStartsAtOnceAllTheSame() throws IOException {
    order(StopAction.KILL, "alice");
    stop.checkOrders();
    assertThat(gate.request(container("p1", ExecutionType.GUARANTEED)).outcome())
        .isEqualTo(LaunchDecision.Outcome.LAUNCHED);
  }

  @Test
  void aStopOutlivesARestartAndHoldsBeforeTheFirstLaunch() throws IOException {
    order(StopAction.LEAVE, "alice");
    restart();
    assertThat(request("c1").outcome()).isEqualTo(LaunchDecision.Outcome.QUEUED);
  }

  @Test
  void theClustersStopHoldsWhateverTheNodeSays() throws IOException {
    order(StopAction.NONE, "alice");
    clusterSays(new StopOrder(StopAction.FREEZE, "carol", Instant.EPOCH, "all"));
    stop.checkOrders();
    assertThat(stop.state().fromCluster()).isTrue();
    assertThat(stop.state().cluster().orElseThrow().server()).isEqualTo(SERVER.toString());
    assertThat(request("c1").outcome()).isEqualTo(LaunchDecision.Outcome.QUEUED);
    clusterSays(new StopOrder(StopAction.NONE, "carol", Instant.EPOCH.plusSeconds(1), "over"));
    stop.checkOrders();
    assertThat(request("c1").outcome()).isEqualTo(LaunchDecision.Outcome.LAUNCHED);
  }

  @Test
  void aBrokenFileIsSaidAndTheLastOrderHolds() throws IOException {
    order(StopAction.LEAVE, "alice");
    stop.checkOrders();
    write("a.stop.action=maybe");
    stop.checkOrders();
    assertThat(stop.state().problem()).get().asString().contains("'maybe'");
    assertThat(gate.isStopped()).isTrue();
    assertThat(metrics.toleratedFailures().getCount()).isEqualTo(1);
    stop.checkOrders();
    assertThat(metrics.toleratedFailures().getCount()).as("said once").isEqualTo(1);
  }

  @Test
  void everyOrderIsWrittenDownWithItsName() throws IOException {
    order(StopAction.LEAVE, "alice");
    stop.checkOrders();
    stop.checkOrders();
    order(StopAction.NONE, "bob");
    stop.checkOrders();
    assertThat(Files.readAllLines(directory.resolve("audit/audit.jsonl")))
        .hasSize(2)
        .anyMatch(line -> line.contains("\"leave\"") && line.contains("by alice: test"))
        .anyMatch(line -> line.contains("\"resume\"") && line.contains("by bob: test"));
  }

  /** Requests, launches, ends and orders come in random order. */
  @Test
  @Tag("must-never")
  void noContainerThatWaitsIsLostByStopsAndResumes() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      restart();
      List<String> accepted = new ArrayList<>();
      List<String> started = new ArrayList<>();
      boolean stopped = gate.isStopped();
      for (int step = 0; step < 200; step++) {
        switch (random.nextInt(5)) {
          case 0 -> {
            stopped = !stopped;
            order(stopped ? StopAction.LEAVE : StopAction.NONE, "alice");
            stop.checkOrders();
          }
          case 1 -> {
            String id = "c" + seed + "_" + step;
            LaunchDecision decision = request(id);
            if (decision.outcome() == LaunchDecision.Outcome.LAUNCHED) {
              assertThat(stopped).as("nothing starts while stopped").isFalse();
              started.add(id);
            } else if (decision.outcome() == LaunchDecision.Outcome.QUEUED) {
              accepted.add(id);
            }
          }
          case 2 -> {
            for (String id : List.copyOf(accepted)) {
              if (request(id).outcome() == LaunchDecision.Outcome.LAUNCHED) {
                assertThat(stopped).as("nothing starts while stopped").isFalse();
                accepted.remove(id);
                started.add(id);
              }
            }
          }
          case 3 -> {
            if (!started.isEmpty()) {
              var unused = gate.ended(started.remove(0), 10 * MIB, ContainerEnd.COMPLETED);
            }
          }
          default -> observe();
        }
        assertThat(new TreeSet<>(gate.waitingInOrder())).isEqualTo(new TreeSet<>(accepted));
      }
      order(StopAction.NONE, "alice");
      stop.checkOrders();
      started.forEach(id -> gate.ended(id, 10 * MIB, ContainerEnd.COMPLETED));
      for (int round = 0; round < 100 && !accepted.isEmpty(); round++) {
        observe();
        for (String id : List.copyOf(gate.waitingInOrder())) {
          if (request(id).outcome() == LaunchDecision.Outcome.LAUNCHED) {
            accepted.remove(id);
            var unused = gate.ended(id, 10 * MIB, ContainerEnd.COMPLETED);
          }
        }
      }
      assertThat(accepted).as("each that was taken in starts in the end").isEmpty();
    }
  }

  private void clusterSays(StopOrder order) {
    said.set(order);
    cluster.ask(SERVER);
  }

  private void restart() {
    gate =
        new LaunchGate(
            scheduler(), Duration.ofDays(1), () -> nanos, Clock.systemUTC(), waited -> {}, "");
    observe();
    ActionExecutor executor =
        new ActionExecutor(
            new DyingContainers(() -> nanos, () -> {}),
            (mechanism, id, reason) -> {},
            ContainerControl.of(Optional.empty(), id -> {}),
            Audit.direct(
                Optional.of(new AuditLog(directory.resolve("audit"), MIB)),
                Clock.systemUTC(),
                metrics.toleratedFailures()),
            metrics.toleratedFailures(),
            () -> nanos);
    stop =
        new NodeStop(
            gate,
            () -> decides,
            new StoppedContainers(List::of, id -> Phase.RUNNING, executor, () -> nanos),
            executor,
            resumed::incrementAndGet);
    stop.follow(
        new StopFile(
            Optional.of(new TrustedProperties(path, System.getProperty("user.name"), "a.")),
            KEYS,
            Map.of()));
    stop.followCluster(cluster);
  }

  private static LocalScheduler scheduler() {
    return new LocalScheduler(
        new LaunchQueue(5),
        new PeakProfile(20, 95),
        new SnapshotLaunchPolicy(Duration.ofSeconds(5), Duration.ofSeconds(5)));
  }

  private void observe() {
    nanos += Duration.ofSeconds(1).toNanos();
    gate.observed(new NodeMemory(1000 * MIB, 600 * MIB), Map.of());
  }

  private LaunchDecision request(String id) {
    return gate.request(container(id, ExecutionType.OPPORTUNISTIC));
  }

  private static LaunchRequest container(String id, ExecutionType type) {
    return new LaunchRequest(id, type, new JobKey("job"), new Owner("user", "app"), 100 * MIB);
  }

  private void order(StopAction action, String by) throws IOException {
    StringBuilder text = new StringBuilder();
    new StopOrder(action, by, Instant.EPOCH, "test")
        .values(KEYS)
        .forEach((key, value) -> text.append(key + "=" + value.replace(":", "\\:") + "\n"));
    write(text.toString());
  }

  private void write(String text) throws IOException {
    Files.writeString(path, text);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
    modifiedMillis += 1000;
    Files.setLastModifiedTime(path, FileTime.fromMillis(modifiedMillis));
  }
}
