/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpupool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.core.mechanism.PoolUse;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuBandwidth;
import io.charon.nodemanager.cgroup.RealCgroups;
import io.charon.nodemanager.config.CpuPoolSettings;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.execution.SingleMechanism;
import io.charon.nodemanager.execution.TestExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests the shared pool on this machine's kernel. A round of 5 s takes half a second here, so the
 * law sees a tenth of the actual use.
 */
@ExtendWith(RealCgroups.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CpuPoolKernelTest {
  private static final int FASTER = 10;
  private static final String BURSTY = "bursty";
  private static final String QUIET = "quiet";
  private static final String LOADER = "loader";
  private static final Bandwidth TENTH = new Bandwidth(10_000, 100_000, 0);
  private static final long STEP_MICROS = 2_000;

  /** In the law's scale: the bursts are about 0.01, a loop with a processor of its own is 0.1. */
  private static final double LINE_CORES = 0.02;

  /** A burst needs about 50 ms, five quotas, and there are about two per second. */
  private static final String BURSTS =
      "while :; do i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; sleep 0.5; done";

  private static final String LOOP = "while :; do :; done & while :; do :; done";

  private final Counter failures = new Counter();
  private final Map<String, Integer> vcores = new HashMap<>();
  private final Map<String, List<Path>> joins = new HashMap<>();
  private final List<Process> processes = new ArrayList<>();
  private CgroupLayout layout;
  private CgroupHierarchy cpu;
  private CgroupWriter writer;
  private SingleMechanism<PoolUse> parts;
  private ActionExecutor executor;
  private MechanismRunner runner;
  private long startNanos;

  @BeforeEach
  void aBurstyContainerAndAQuietOneWithQuotas() throws IOException {
    layout = RealCgroups.layout("pool");
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
    Optional<CgroupHierarchy> found = layout.hierarchy(CgroupController.CPU);
    assumeThat(found).as("cpu controller").isPresent();
    cpu = found.get();
    create(BURSTY);
    create(QUIET);
    for (String id : List.of(BURSTY, QUIET)) {
      String unused = bandwidth(id).limit(TENTH.cores());
      assertThat(bandwidth(id).read()).contains(TENTH);
    }
  }

  private void create(String id) throws IOException {
    joins.put(id, writer.createContainer(id, ContainerClass.PRODUCTION, OptionalInt.empty()));
    vcores.put(id, 2);
  }

  private CpuBandwidth bandwidth(String id) {
    return new CpuBandwidth(
        layout.containerDirectory(cpu, ContainerClass.PRODUCTION, id), cpu.version());
  }

  private void start() {
    double high = Math.min(1, LINE_CORES / Runtime.getRuntime().availableProcessors());
    parts =
        CpuPoolParts.of(
            new CpuPoolSettings(RegulatorMode.ENFORCE, OptionalDouble.of(high), Optional.empty()),
            Optional.of(layout),
            Path.of("/proc"),
            Path.of("/sys"),
            () -> Map.copyOf(vcores));
    executor = TestExecutor.of(Optional.empty(), failures, parts.actuators());
    runner =
        new MechanismRunner(
            List.of(new MechanismRunner.Entry(parts.mechanism(), RegulatorMode.ENFORCE)), executor);
    runner.start();
    startNanos = System.nanoTime();
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
    if (executor != null) {
      executor.close();
    }
    if (parts != null) {
      parts.close();
    }
    for (String id : joins.keySet()) {
      assertThat(writer.removeContainer(id)).isTrue();
    }
    assertThat(writer.removeNode()).isTrue();
  }

  private void run(String id, String script) throws IOException {
    processes.add(
        new ProcessBuilder("/bin/sh", "-c", RealCgroups.entering(joins.get(id)) + script)
            .inheritIO()
            .start());
  }

  private long quotaMicros(String id) {
    try {
      return bandwidth(id).read().orElseThrow().quotaMicros();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void tick() {
    long nanos = FASTER * (System.nanoTime() - startNanos);
    runner.tick(new Snapshot(nanos, parts.read(nanos).stream().toArray(Reading[]::new)));
  }

  /**
   * Ticks until the condition holds, and checks each time that no quota falls below the container's
   * own.
   */
  private List<Long> quotasUntil(BooleanSupplier so) throws InterruptedException {
    List<Long> seen = new ArrayList<>(List.of(quotaMicros(BURSTY)));
    while (!so.getAsBoolean()) {
      Thread.sleep(50);
      tick();
      long now = quotaMicros(BURSTY);
      if (now != seen.get(seen.size() - 1)) {
        seen.add(now);
      }
      assertThat(now).as("never below its own").isGreaterThanOrEqualTo(TENTH.quotaMicros());
      assertThat(quotaMicros(QUIET)).isEqualTo(TENTH.quotaMicros());
    }
    return seen;
  }

  @Test
  void theQuotaRisesByStepsAndIsHalvedWhenAThirdOneFillsThePool() throws Exception {
    start();
    run(BURSTY, BURSTS);
    List<Long> up = quotasUntil(() -> quotaMicros(BURSTY) >= 22_000);
    assertThat(up).as("by steps").containsSubsequence(10_000L, 12_000L, 14_000L);
    assertMovesAreThoseOfTheLaw(up);

    create(LOADER);
    run(LOADER, LOOP);
    List<Long> down = quotasUntil(() -> quotaMicros(BURSTY) == TENTH.quotaMicros());
    assertMovesAreThoseOfTheLaw(down);
    assertThat(down.size()).as("halved before it is at its own: %s", down).isGreaterThan(2);
    assertThat(bandwidth(LOADER).read().orElseThrow().cores()).as("its vcores").isEqualTo(2);

    executor.use(Map.of());
    assertThat(bandwidth(BURSTY).read()).contains(TENTH);
    assertThat(bandwidth(LOADER).read()).as("there was no quota").isEmpty();
    assertThat(failures.getCount()).isZero();
  }

  private static void assertMovesAreThoseOfTheLaw(List<Long> quotas) {
    for (int i = 1; i < quotas.size(); i++) {
      long before = quotas.get(i - 1);
      assertThat(quotas.get(i))
          .as("a step up or halved, in %s", quotas)
          .isIn(before + STEP_MICROS, Math.max(TENTH.quotaMicros(), before / 2));
    }
  }

  /**
   * Version 1 refuses a quota above the parent's (EINVAL); the previous quota must stay in force.
   */
  @Test
  void whatTheKernelRefusesLeavesTheQuotaOfBefore() throws Exception {
    assumeThat(cpu.version()).as("only version 1 refuses it").isEqualTo(CgroupVersion.V1);
    String unused =
        new CpuBandwidth(layout.classDirectory(cpu, ContainerClass.PRODUCTION), cpu.version())
            .limit(0.11);
    start();
    run(BURSTY, BURSTS);
    List<Long> seen = quotasUntil(() -> failures.getCount() > 1);
    assertThat(seen).containsExactly(TENTH.quotaMicros());
    executor.use(Map.of());
    assertThat(bandwidth(BURSTY).read()).contains(TENTH);
  }
}
