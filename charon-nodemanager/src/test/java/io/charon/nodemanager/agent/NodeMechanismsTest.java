/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.mechanism.MechanismReport;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.mechanisms.memorylimit.MemoryBound;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests regulators from their keys to the values written, and the network regulator to the
 * arguments of its helper.
 */
@Tag("hadoop")
class NodeMechanismsTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path root;
  private FakeMachine machine;
  private CgroupLayout layout;
  private Path helper;
  private NodeMechanisms mechanisms;
  private Map<String, Long> reservations = Map.of();
  private long seconds;
  private long sent;

  @BeforeEach
  void setUp() throws IOException {
    machine = FakeMachine.v2(root);
    layout = machine.detect("/charon");
    machine
        .file("sys/class/net/eth0/ifindex", "7\n")
        .file("sys/class/net/eth0/speed", "1000\n")
        .file("sys/class/net/eth0/statistics/tx_bytes", "0\n")
        .file(
            "proc/net/route",
            """
            Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask
            eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000
            """);
    helper = machine.file("helper", "#!/bin/sh\necho \"$@\" >>" + root + "/calls\n").path("helper");
    Files.setPosixFilePermissions(helper, PosixFilePermissions.fromString("rwx------"));
  }

  @AfterEach
  void close() {
    mechanisms.close();
  }

  private void open(String mode, String... more) {
    String[] keys = {
      "regulator.network.mode",
      mode,
      "regulator.network.window-ms",
      "5000",
      "regulator.helper",
      helper.toString()
    };
    String[] all = new String[keys.length + more.length];
    System.arraycopy(keys, 0, all, 0, keys.length);
    System.arraycopy(more, 0, all, keys.length, more.length);
    NodeMetrics metrics = new NodeMetrics();
    mechanisms =
        new NodeMechanisms(
            TestSettings.of(all),
            ProductionNode.machine(root, layout),
            ProductionNode.containers(() -> reservations),
            new MemoryBound(Optional.empty()),
            new ActionExecutor(
                new DyingContainers(() -> 0, () -> {}),
                (mechanism, id, reason) -> {},
                ContainerControl.of(
                    Optional.empty(),
                    id -> {
                      throw new AssertionError(id);
                    }),
                Audit.direct(Optional.empty(), Clock.systemUTC(), metrics.toleratedFailures()),
                metrics.toleratedFailures(),
                System::nanoTime),
            metrics,
            () -> {});
    mechanisms.start();
  }

  /** Simulates a second in which the device sends this number of bytes. */
  private void second(long bytes) {
    sent += bytes;
    machine.file("sys/class/net/eth0/statistics/tx_bytes", sent + "\n");
    mechanisms.tick(seconds++ * SECOND, Optional.empty());
  }

  private MechanismRunner.State network() {
    return mechanisms.states().stream()
        .filter(state -> state.name().equals("network"))
        .findFirst()
        .orElseThrow();
  }

  private List<String> calls() throws IOException {
    Path calls = root.resolve("calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  private String limit(long rate) {
    return "network limit --device eth0 --cgroup "
        + root.resolve("cgroup/charon/best-effort")
        + " --rate "
        + rate;
  }

  @Test
  void bestEffortGetsTheLeastWhileLearningAndThenWhatIsLeft() throws IOException {
    open("enforce");
    for (int i = 0; i < 7; i++) { // the first sample of a window needs two readings before it
      second(25_000_000);
    }
    // The link has 125 MB/s, of which the foreground uses a constant 25.
    assertThat(calls())
        .containsExactly(
            "network clear --device eth0",
            "network self-test --device eth0",
            limit(125_000),
            limit(100_000_000));
    second(40_000_000);
    assertThat(calls()).endsWith(limit(85_000_000));
    mechanisms.close();
    assertThat(calls()).endsWith("network clear --device eth0");
    assertThat(network().unavailable()).isEmpty();
  }

  @Test
  void observingNeverCallsTheHelperForALimit() throws IOException {
    open("observe", "regulator.network.link-mbit", "100");
    for (int i = 0; i < 8; i++) {
      second(2_500_000);
    }
    assertThat(network().report().value(MechanismReport.LIMIT)).hasValue(10_000_000);
    assertThat(calls()).containsExactly("network clear --device eth0");
  }

  @Test
  void whatIsMissingIsSaidAndNothingElseStops() throws IOException {
    Files.delete(root.resolve("proc/net/route"));
    open("enforce");
    second(1);
    assertThat(network().unavailable().orElseThrow()).contains("regulator.network.device");
    assertThat(calls()).isEmpty();
    mechanisms.close();

    Files.delete(helper);
    open("enforce", "regulator.network.device", "eth0");
    second(1);
    second(1);
    assertThat(network().unavailable().orElseThrow()).contains("install ua-killer");
    assertThat(network().report().cause()).isPresent();
  }

  @Test
  void aDefaultRouteThatComesUpAfterTheStartIsUsed() throws IOException {
    String routes = machine.read("proc/net/route");
    Files.delete(root.resolve("proc/net/route"));
    open("enforce");
    second(1);
    assertThat(calls()).isEmpty();
    machine.file("proc/net/route", routes + "\n");
    await(
        () -> {
          seconds += 10;
          second(1);
          return network().result().startsWith("applied");
        });
    assertThat(calls()).startsWith("network self-test --device eth0", limit(125_000));
    assertThat(network().unavailable()).isEmpty();
    mechanisms.close();
    assertThat(calls()).endsWith("network clear --device eth0");
  }

  /** Switching between cache-ways and quota removes the limit of the other. */
  @Test
  void cacheWaysTakeThePlaceOfTheQuotaAndTheOtherWayRound() throws IOException {
    machine
        .file("resctrl/info/L3/cbm_mask", "f\n")
        .file("resctrl/info/L3/min_cbm_bits", "1\n")
        .file("resctrl/tasks", "")
        .file("resctrl/charon/schemata", "L3:0=f\n")
        .file("resctrl/charon/tasks", "")
        .file("cgroup/charon/best-effort/cpu.max", "20000 100000\n")
        .file("cgroup/charon/production/cpu.pressure", "some avg10=0.00 total=7\n")
        .file("proc/pressure/cpu", "some\n")
        .file("proc/stat", "cpu 1 1 1 1 1 1 1\ncpu0 1\ncpu1 1\n");
    String[] keys = {
      "regulator.cpu.mode", "enforce",
      "regulator.cpu.limit", "cache-ways",
      "regulator.resctrl-group", root.resolve("resctrl/charon").toString(),
      "regulator.cpu.signal", "pressure"
    };
    open("off", keys);
    assertThat(machine.read("cgroup/charon/best-effort/cpu.max")).isEqualTo("max 100000");
    second(0);
    second(0);
    assertThat(cpu().result()).isEqualTo("applied: L3:0=1, 1 of 4 ways, 0 threads moved");
    assertThat(machine.read("resctrl/charon/schemata")).isEqualTo("L3:0=1");

    keys[3] = "quota"; // the earlier mechanisms were not closed
    open("off", keys);
    assertThat(machine.read("resctrl/charon/schemata")).isEqualTo("L3:0=f");
    second(0);
    second(0);
    assertThat(cpu().result()).isEqualTo("applied: cpu.max=1000 100000");
    mechanisms.close();
    assertThat(machine.read("cgroup/charon/best-effort/cpu.max")).isEqualTo("max 100000");
  }

  @Test
  void aProductionContainerWithAQuotaMaySaveUpUntilTheMechanismsStop() throws IOException {
    String container = "cgroup/charon/production/container_1";
    machine
        .file(container + "/cpu.max", "20000 100000\n")
        .file(container + "/cpu.max.burst", "0\n");
    reservations = Map.of("container_1", 1L << 30);
    open("off", "cpu-burst.mode", "enforce", "cpu-burst.factor", "20");
    second(0);
    assertThat(machine.read(container + "/cpu.max")).isEqualTo("200000 1000000");
    assertThat(machine.read(container + "/cpu.max.burst")).isEqualTo("200000");
    mechanisms.close();
    assertThat(machine.read(container + "/cpu.max")).isEqualTo("20000 100000");
    assertThat(machine.read(container + "/cpu.max.burst")).isEqualTo("0");
  }

  @Test
  void aProductionContainerOfTheSharedPoolHasItsVcoresUntilTheMechanismsStop() throws IOException {
    String container = "cgroup/charon/production/container_1";
    machine
        .file(container + "/cpu.max", "max 100000\n")
        .file(container + "/cpu.stat", "usage_usec 0\nnr_periods 0\nnr_throttled 0\n")
        .file("proc/stat", "cpu 1 1 1 1 1 1 1\ncpu0 1\ncpu1 1\n");
    open("off");
    second(0);
    assertThat(machine.read(container + "/cpu.max")).as("off by default").startsWith("max");
    mechanisms.close();
    open("off", "cpu-pool.mode", "enforce");
    second(0);
    assertThat(machine.read(container + "/cpu.max")).isEqualTo("200000 100000");
    mechanisms.close();
    assertThat(machine.read(container + "/cpu.max")).isEqualTo("max 100000");
  }

  @Test
  void bestEffortHasAFixedPartOfCacheAndBandwidthUntilTheMechanismsStop() throws IOException {
    machine
        .file("resctrl/info/L3/cbm_mask", "7ff\n")
        .file("resctrl/info/L3/min_cbm_bits", "1\n")
        .file("resctrl/info/MB/min_bandwidth", "10\n")
        .file("resctrl/info/MB/bandwidth_gran", "10\n")
        .file("resctrl/schemata", "MB:0=100\n")
        .file("resctrl/tasks", "")
        .file("resctrl/charon/schemata", "L3:0=7ff\n")
        .file("resctrl/charon/tasks", "");
    String group = machine.path("resctrl/charon").toString();
    open("off", "cache-ways.mode", "enforce", "regulator.resctrl-group", group);
    second(0);
    assertThat(machine.read("resctrl/charon/schemata")).isEqualTo("L3:0=3");
    mechanisms.close();
    assertThat(machine.read("resctrl/charon/schemata")).isEqualTo("L3:0=7ff");

    machine.file("resctrl/charon/schemata", "L3:0=7ff\nMB:0=100\n");
    open(
        "off",
        "memory-bandwidth.mode",
        "enforce",
        "memory-bandwidth.limit",
        "30%",
        "regulator.resctrl-group",
        group);
    second(0);
    assertThat(machine.read("resctrl/charon/schemata")).isEqualTo("MB:0=30");
  }

  /**
   * A leftover limit is removed before the first decision, and the disks' readings reach the law.
   */
  @Test
  void readsThatAnEarlierLifeLimitedAreFreeAndDisksAreSeen() throws IOException {
    String limits = "cgroup/charon/best-effort/io.max";
    machine
        .file(limits, "254:0 rbps=1048576 wbps=max riops=max wiops=max\n")
        .file("sys/block/vda/device/vendor", "0x1af4\n")
        .file("proc/diskstats", " 254 0 vda 1 0 0 1 0 0 0 0 0 0 1\n");
    open("off");
    assertThat(machine.read(limits)).isEqualTo("254:0 rbps=max");
    mechanisms.close();

    open("off", "disk-limit.mode", "enforce");
    second(0);
    machine.file("proc/diskstats", " 254 0 vda 1 0 200000 1 0 0 0 0 0 900 1\n");
    second(0);
    assertThat(disk().unavailable()).isEmpty();
    assertThat(disk().report().detail()).contains("vda delivered 102 MB/s recently");
    assertThat(disk().result()).isEqualTo("applied: best-effort reads without a limit");
    mechanisms.close();

    open("off", "disk-limit.mode", "enforce", "memory-limit.mode", "off");
    second(0);
    assertThat(disk().unavailable().orElseThrow()).contains("memory-limit.mode to observe");
  }

  private MechanismRunner.State disk() {
    return mechanisms.states().stream()
        .filter(state -> state.name().equals("disk-limit"))
        .findFirst()
        .orElseThrow();
  }

  private MechanismRunner.State cpu() {
    return mechanisms.states().get(1);
  }
}
