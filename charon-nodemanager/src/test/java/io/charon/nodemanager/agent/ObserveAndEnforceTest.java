/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Limit;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.Actuator;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.mechanisms.memorylimit.MemoryBound;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.audit.AuditLog;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a promise to operators for each mechanism of a node: in mode observe the audit has what
 * would be written, and the same readings in mode enforce write exactly that. The readings are
 * those of {@link ReplayedNode}; a mechanism that decides nothing from them needs other ones there.
 */
@Tag("hadoop")
class ObserveAndEnforceTest {
  private static final String RECLAIM = " reclaim ";

  @TempDir private Path directory;
  private final AtomicInteger second = new AtomicInteger();
  private final List<String> writes = new CopyOnWriteArrayList<>();
  private final Counter failures = new Counter();

  /** Records what is written. Limits go on to a tree of files, whose values count as well. */
  private final class Recorder implements Actuator {
    private final Actuator files;
    private final Map<String, String> last = new HashMap<>();

    Recorder(Actuator files) {
      this.files = files;
    }

    @Override
    public Optional<String> unavailable() {
      return Optional.empty();
    }

    @Override
    public String apply(Action.SetLimit wanted) throws IOException {
      return change(wanted, files.apply(wanted));
    }

    @Override
    public String apply(Action.SetBandwidth wanted) {
      return change(wanted, wanted.bandwidth().toString());
    }

    @Override
    public String apply(Action.SetQuota wanted) {
      return change(wanted, wanted.cores().toString());
    }

    @Override
    public String apply(Action.Protect wanted) throws IOException {
      return change(wanted, files.apply(wanted));
    }

    @Override
    public String apply(Action.ReclaimCold wanted) {
      writes.add(event(wanted));
      return "";
    }

    /** What is set again without a change is no other write. */
    private String change(Action wanted, String value) {
      if (!value.equals(last.put(wanted.target(), value))) {
        writes.add(event(wanted));
      }
      return value;
    }

    private String event(Action wanted) {
      return ObserveAndEnforceTest.event(
          second.get(), wanted.verb(), wanted.target(), wanted.basis().limit());
    }

    @Override
    public boolean holds() {
      return files.holds();
    }

    @Override
    public void undo() {}
  }

  private static String event(long second, String verb, String target, double limit) {
    // The limit of a kill is a threshold.
    return second + " " + verb + " " + target + (verb.equals("kill") ? "" : " " + limit);
  }

  @TestFactory
  List<DynamicTest> enforceWritesWhatTheAuditOfObserveHas() throws Exception {
    try (ActionExecutor executor = executor(directory.resolve("no-audit"));
        NodeMechanisms node = node("names", executor)) {
      return node.entries().stream()
          .map(entry -> entry.mechanism().name())
          .map(name -> DynamicTest.dynamicTest(name, () -> replay(name)))
          .toList();
    }
  }

  private void replay(String name) throws Exception {
    writes.clear();
    List<String> intended = replay(name, RegulatorMode.OBSERVE, List.of());
    assertThat(writes).as("%s in mode observe", name).isEmpty();
    assertThat(intended)
        .as("%s decides nothing from the readings: add its readings to ReplayedNode", name)
        .anyMatch(event -> !event.contains(" keep "));

    replay(name, RegulatorMode.ENFORCE, intended);
    // Their order within a second may differ: a protection that has been raised before, which is so
    // in
    // enforce only, is lowered after the limits.
    assertThat(writes).as("%s in mode enforce", name).containsExactlyInAnyOrderElementsOf(intended);
    assertThat(failures.getCount()).as("failures").isZero();
  }

  /**
   * Replays all readings to a mechanism on a machine of its own.
   *
   * @param intended what it is expected to write
   * @return the changes that its audit holds
   */
  private List<String> replay(String name, RegulatorMode mode, List<String> intended)
      throws Exception {
    String place = name + "-" + mode;
    Path audit = directory.resolve(place).resolve("audit");
    try (ActionExecutor executor = executor(audit);
        NodeMechanisms node = node(place, executor)) {
      Map<Limit, Actuator> actuators = new HashMap<>();
      node.actuators()
          .forEach(
              (limit, files) ->
                  actuators.put(
                      limit, new Recorder(limit.equals(Limit.TRAFFIC) ? shaper() : files)));
      executor.use(actuators);
      MechanismRunner runner =
          new MechanismRunner(
              node.entries().stream()
                  .filter(entry -> entry.mechanism().name().equals(name))
                  .map(entry -> new MechanismRunner.Entry(entry.mechanism(), mode))
                  .toList(),
              executor);
      runner.start();
      assertThat(runner.states().get(0).unavailable()).isEmpty();
      for (int now = 1; now <= ReplayedNode.SECONDS; now++) {
        second.set(now);
        runner.tick(ReplayedNode.at(now));
        String start = now + RECLAIM; // on another thread
        List<String> reclaims = intended.stream().filter(one -> one.startsWith(start)).toList();
        await(() -> writes.containsAll(reclaims));
      }
    }
    return changes(audit);
  }

  /** Another program sets the limit of the traffic. */
  private static Actuator shaper() {
    return Actuator.of(Optional::empty, wanted -> Double.toString(wanted.amount()), () -> {});
  }

  private ActionExecutor executor(Path audit) {
    InstantSource clock = () -> Instant.ofEpochSecond(second.get());
    return new ActionExecutor(
        new DyingContainers(() -> 0, () -> {}),
        (mechanism, id, reason) -> {},
        ContainerControl.of(Optional.empty(), id -> writes.add(event(second.get(), "kill", id, 0))),
        Audit.direct(
            Optional.of(new AuditLog(audit, 1 << 24)), clock.withZone(ZoneOffset.UTC), failures),
        failures,
        System::nanoTime);
  }

  /** Returns the lines of an audit without those that keep what was set before. */
  private static List<String> changes(Path audit) throws IOException {
    List<String> changes = new ArrayList<>();
    List<Path> files = Files.isDirectory(audit) ? AuditLog.files(audit) : List.of();
    for (Path file : files) {
      for (String text : Files.readAllLines(file)) {
        JsonNode line = new ObjectMapper().readTree(text);
        String verb = line.path("action").asText();
        if (changes.isEmpty() || !verb.equals("keep")) {
          changes.add(
              event(
                  Instant.parse(line.path("time").asText()).getEpochSecond(),
                  verb,
                  line.path("target").asText(),
                  line.path("limit").asDouble()));
        }
      }
    }
    return changes;
  }

  /** Returns all mechanisms on a machine that has everything they need. */
  private NodeMechanisms node(String place, ActionExecutor executor) throws Exception {
    Path root = Files.createDirectories(directory.resolve(place));
    FakeMachine machine =
        FakeMachine.v2(root)
            .file("proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n")
            .file("proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n")
            .file("cgroup/charon/memory.low", "0\n")
            .file("cgroup/charon/production/memory.low", "0\n")
            .file("cgroup/charon/production/container_1/memory.low", "0\n")
            .file("cgroup/charon/best-effort/cpu.max", "max 100000\n")
            .file("cgroup/charon/best-effort/cpuset.cpus", "\n")
            .file("cgroup/charon/best-effort/io.max", "")
            .file("cgroup/charon/best-effort/memory.current", "0\n")
            .file("cgroup/charon/best-effort/memory.max", "max\n")
            .file("cgroup/charon/best-effort/pids.max", "max\n")
            .file("resctrl/info/L3/cbm_mask", "7ff\n")
            .file("resctrl/info/L3/min_cbm_bits", "1\n")
            .file("resctrl/info/L3_MON/mon_features", "mbm_total_bytes\n")
            .file("resctrl/info/MB/min_bandwidth", "10\n")
            .file("resctrl/info/MB/bandwidth_gran", "10\n")
            .file("resctrl/schemata", "MB:0=100;1=100\n")
            .file("resctrl/tasks", "")
            .file("resctrl/charon/schemata", "L3:0=7ff;1=7ff\nMB:0=100;1=100\n")
            .file("resctrl/charon/tasks", "");
    CgroupLayout layout = machine.detect("/charon");
    return new NodeMechanisms(
        TestSettings.of(
            "regulator.resctrl-group",
            machine.path("resctrl/charon").toString(),
            "memory-bandwidth.peak-mbps",
            Integer.toString(ReplayedNode.PEAK_MEGABYTES),
            "regulator.cpu.water-line-percent",
            "95",
            "regulator.network.device",
            "eth0",
            "regulator.helper",
            "/nonexistent/ua-killer"),
        new NodeMechanisms.Machine(
            machine.path("proc"),
            machine.path("sys"),
            Optional.of(layout),
            Optional.of(layout),
            Optional.of(new CgroupWriter(layout, Optional.empty()).cpusets()),
            Optional.empty()),
        NodeMechanisms.Containers.none(),
        new MemoryBound(Optional.of(bytes -> {})),
        executor,
        new NodeMetrics(),
        () -> {});
  }
}
