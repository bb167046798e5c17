/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuburst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.ContainerBandwidths;
import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuBandwidth;
import io.charon.nodemanager.cgroup.RealCgroups;
import io.charon.nodemanager.config.CpuBurstSettings;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.execution.SingleMechanism;
import io.charon.nodemanager.execution.TestExecutor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests a token bucket on this machine's kernel. */
@ExtendWith(RealCgroups.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CpuBurstKernelTest {
  private static final String BURSTY = "bursty";
  private static final Bandwidth FIFTH = new Bandwidth(20_000, 100_000, 0);
  private static final int BURSTS = 10;

  /** CPU time of each burst: two and a half quotas, but less than the share on average. */
  private static final int BURST_MILLIS = 50;

  private static final String PAUSE_SECONDS = "0.3";
  private static final long CALIBRATION_ROUNDS = 300_000;

  private final Counter failures = new Counter();
  private CgroupWriter writer;
  private Path cgroup;
  private CpuBandwidth bandwidth;
  private CgroupVersion version;
  private List<Path> joins;
  private ActionExecutor executor;
  private MechanismRunner runner;
  private SingleMechanism<ContainerBandwidths> parts;

  @BeforeEach
  void aProductionContainerWithAQuota() throws IOException {
    CgroupLayout layout = RealCgroups.layout("burst");
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
    Optional<CgroupHierarchy> cpu = layout.hierarchy(CgroupController.CPU);
    assumeThat(cpu).as("cpu controller").isPresent();
    joins = writer.createContainer(BURSTY, ContainerClass.PRODUCTION, OptionalInt.empty());
    version = cpu.get().version();
    cgroup = layout.containerDirectory(cpu.get(), ContainerClass.PRODUCTION, BURSTY);
    bandwidth = new CpuBandwidth(cgroup, version);
    String ignored = bandwidth.limit(FIFTH.cores());
    assertThat(bandwidth.read()).contains(FIFTH);

    parts =
        CpuBurstParts.of(
            new CpuBurstSettings(
                RegulatorMode.ENFORCE, 10, Path.of("charon-test-no-yarn"), Optional.empty()),
            Optional.of(layout),
            () -> Set.of(BURSTY));
    executor = TestExecutor.of(Optional.empty(), failures, parts.actuators());
    runner =
        new MechanismRunner(
            List.of(new MechanismRunner.Entry(parts.mechanism(), RegulatorMode.ENFORCE)), executor);
    runner.start();
  }

  @AfterEach
  void leaveNothingBehind() {
    if (executor != null) {
      executor.close();
    }
    assertThat(writer.removeContainer(BURSTY)).isTrue();
    assertThat(writer.removeNode()).isTrue();
  }

  private void tick() {
    runner.tick(new Snapshot(System.nanoTime(), parts.read(0).orElseThrow()));
  }

  private static String loop(long rounds) {
    return "i=0; while [ $i -lt " + rounds + " ]; do i=$((i+1)); done";
  }

  /** Returns the rounds of the loop per millisecond of CPU time, without a quota. */
  private static long roundsPerMilli() throws Exception {
    Process shell =
        new ProcessBuilder("/bin/sh", "-c", loop(CALIBRATION_ROUNDS) + "; times").start();
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8))) {
      String user = out.readLine().split("\\s+", -1)[0]; // such as 0m0.251000s
      assertThat(shell.waitFor()).isZero();
      double seconds = Double.parseDouble(user.substring(user.indexOf('m') + 1, user.length() - 1));
      return Math.max(1, Math.round(CALIBRATION_ROUNDS / (1000 * Math.max(0.001, seconds))));
    } finally {
      shell.destroyForcibly();
    }
  }

  /**
   * Runs bursts with freezes in the container.
   *
   * @return the time for which it was throttled, microseconds
   */
  private long throttledMicros(long roundsPerMilli) throws Exception {
    StringBuilder script = new StringBuilder(RealCgroups.entering(joins));
    script.append("for burst in $(seq ").append(BURSTS).append("); do ");
    script.append("sleep ").append(PAUSE_SECONDS).append("; ");
    script.append(loop(BURST_MILLIS * roundsPerMilli)).append("; done");
    long before = throttledMicros();
    Process bursty = new ProcessBuilder("/bin/sh", "-c", script.toString()).inheritIO().start();
    try {
      assertThat(bursty.waitFor()).isZero();
    } finally {
      bursty.destroyForcibly().waitFor();
    }
    return throttledMicros() - before;
  }

  private long throttledMicros() throws IOException {
    String key = version == CgroupVersion.V1 ? "throttled_time " : "throttled_usec ";
    long value =
        Files.readAllLines(cgroup.resolve("cpu.stat")).stream()
            .filter(line -> line.startsWith(key))
            .mapToLong(line -> Long.parseLong(line.substring(key.length())))
            .findFirst()
            .orElseThrow();
    return version == CgroupVersion.V1 ? value / 1000 : value;
  }

  /**
   * Typically 0 to 2 % of the time without a bucket; the bound allows for other load on the
   * machine.
   */
  @Test
  void withABucketBurstsAreThrottledForAQuarterOfTheTimeAtMost() throws Exception {
    long rounds = roundsPerMilli();
    long without = throttledMicros(rounds);
    assertThat(without).as("throttled without a bucket").isGreaterThan(100_000);

    tick();
    assertThat(bandwidth.read().orElseThrow().cores()).isEqualTo(FIFTH.cores());
    long with = throttledMicros(rounds);
    System.out.printf(
        "throttled %d ms without a bucket, %d ms with one: %.1f %%%n",
        without / 1000, with / 1000, 100.0 * with / without);
    assertThat(with).isLessThanOrEqualTo(without / 4);
    assertThat(failures.getCount()).isZero();
  }

  /**
   * The parent has the same share as the container, so version 1 refuses any temporarily larger
   * share.
   */
  @Test
  void thisKernelTakesTheBucketAndGivesBackWhatWasFound() throws Exception {
    String ignored = new CpuBandwidth(cgroup.getParent(), version).limit(FIFTH.cores());
    tick();
    Bandwidth bucket = bandwidth.read().orElseThrow();
    assertThat(bucket.maxAtOnceMicros()).isGreaterThanOrEqualTo(10 * FIFTH.quotaMicros());
    tick();
    assertThat(runner.states().get(0).report().detail().orElseThrow())
        .startsWith("1 of 1 containers with a quota");
    executor.use(Map.of());
    assertThat(bandwidth.read()).contains(FIFTH);
    assertThat(failures.getCount()).isZero();
  }
}
