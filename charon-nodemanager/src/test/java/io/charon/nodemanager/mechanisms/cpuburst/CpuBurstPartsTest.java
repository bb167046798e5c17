/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuburst;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.ContainerBandwidths;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.CpuBurstSettings;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.execution.SingleMechanism;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.audit.AuditLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests from the files of cgroups to the values written into them, and back. */
class CpuBurstPartsTest {
  private static final String OWN = "cgroup/cpu/charon/production/container_1";
  private static final String YARNS = "cgroup/cpu/hadoop-yarn/container_2";
  private static final String BEST_EFFORT = "cgroup/cpu/charon/best-effort/container_3";
  private static final List<String> FOUND = List.of("100000", "20000", "0");
  private static final List<String> BUCKET = List.of("500000", "100000", "100000");

  @TempDir private Path root;
  private final Counter failures = new Counter();
  private final Set<String> production = new TreeSet<>(Set.of("container_1", "container_2"));
  private FakeMachine machine;
  private CgroupLayout layout;
  private Path memory;
  private ActionExecutor executor;
  private MechanismRunner runner;
  private SingleMechanism<ContainerBandwidths> parts;
  private long seconds;

  @BeforeEach
  void setUp() throws IOException {
    machine = FakeMachine.v1(root);
    layout = machine.detect("/charon");
    memory = root.resolve("recovery/quotas.properties");
    for (String cgroup : List.of(OWN, YARNS, BEST_EFFORT)) {
      quota(cgroup, "100000", "20000", "0");
    }
    start(RegulatorMode.ENFORCE);
  }

  private void quota(String cgroup, String period, String quota, String burst) {
    machine
        .file(cgroup + "/cpu.cfs_period_us", period + "\n")
        .file(cgroup + "/cpu.cfs_quota_us", quota + "\n")
        .file(cgroup + "/cpu.cfs_burst_us", burst + "\n");
  }

  private List<String> seen(String cgroup) throws IOException {
    return List.of(
        machine.read(cgroup + "/cpu.cfs_period_us"),
        machine.read(cgroup + "/cpu.cfs_quota_us"),
        machine.read(cgroup + "/cpu.cfs_burst_us"));
  }

  /** Starts a NodeManager; an earlier one, if any, has ended without cleaning up. */
  private void start(RegulatorMode mode) {
    parts =
        CpuBurstParts.of(
            new CpuBurstSettings(mode, 10, Path.of("hadoop-yarn"), Optional.of(memory)),
            Optional.of(layout),
            () -> production);
    executor =
        new ActionExecutor(
            new DyingContainers(() -> 0, () -> {}),
            (mechanism, id, reason) -> {},
            ContainerControl.of(Optional.empty(), id -> {}),
            Audit.direct(
                Optional.of(new AuditLog(root.resolve("audit"), 1 << 20)),
                Clock.systemUTC(),
                failures),
            failures,
            System::nanoTime);
    executor.use(parts.actuators());
    runner =
        new MechanismRunner(List.of(new MechanismRunner.Entry(parts.mechanism(), mode)), executor);
    runner.start();
  }

  private void tick() {
    Reading[] readings = parts.read(0).stream().toArray(Reading[]::new);
    runner.tick(new Snapshot(seconds++ * 1_000_000_000L, readings));
  }

  private MechanismRunner.State state() {
    return runner.states().get(0);
  }

  private List<String> audit() throws IOException {
    Path file = root.resolve("audit/audit.jsonl");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  @Test
  void productionGetsABucketWhereverItsQuotaIsAndBestEffortNone() throws IOException {
    tick();
    tick();
    assertThat(seen(OWN)).isEqualTo(BUCKET);
    assertThat(seen(YARNS)).isEqualTo(BUCKET);
    assertThat(seen(BEST_EFFORT)).isEqualTo(FOUND);
    assertThat(state().report().detail().orElseThrow()).startsWith("2 of 2 containers");
    assertThat(audit())
        .hasSize(2)
        .first()
        .asString()
        .contains("\"cpu-burst\"", "\"burst\"", "\"container_1\"", "cpu.cfs_burst_us=100000");
    assertThat(failures.getCount()).isZero();
  }

  @Test
  void whatWasFoundIsPutBackWhenItStops() throws IOException {
    tick();
    executor.use(Map.of());
    assertThat(seen(OWN)).isEqualTo(FOUND);
    assertThat(seen(YARNS)).isEqualTo(FOUND);
    assertThat(memory).doesNotExist();
  }

  /** The first NodeManager was killed, and the next one starts in mode off. */
  @Test
  void whatWasFoundIsPutBackAfterARestart() throws IOException {
    quota(OWN, "50000", "20000", "3000");
    tick();
    assertThat(seen(OWN)).containsExactly("500000", "200000", "200000");
    start(RegulatorMode.OFF);
    assertThat(seen(OWN)).containsExactly("50000", "20000", "3000");
    assertThat(seen(YARNS)).isEqualTo(FOUND);
    tick();
    assertThat(seen(YARNS)).isEqualTo(FOUND);
    assertThat(memory).doesNotExist();
  }

  /** The NodeManager was killed, or the kernel refused, between the period and the quota. */
  @Test
  void aBucketThatWasHalfWrittenCostsNoShare() throws IOException {
    tick();
    quota(OWN, "500000", "20000", "0");
    quota(YARNS, "500000", "20000", "0");
    tick();
    assertThat(seen(OWN)).as("still running").isEqualTo(BUCKET);
    quota(OWN, "500000", "20000", "0");
    start(RegulatorMode.OFF);
    assertThat(seen(OWN)).as("restarted").isEqualTo(FOUND);
    assertThat(seen(YARNS)).isEqualTo(FOUND);
  }

  @Test
  void aContainerThatLeavesProductionGetsItsQuotaBack() throws IOException {
    tick();
    production.remove("container_2");
    tick();
    assertThat(seen(YARNS)).isEqualTo(FOUND);
    assertThat(seen(OWN)).isEqualTo(BUCKET);
    assertThat(Files.readString(memory)).contains("container_1").doesNotContain("container_2");
  }

  @Test
  void aShareThatAnotherProgramChangedStaysAndGetsItsOwnBucket() throws IOException {
    tick();
    quota(OWN, "100000", "60000", "40000"); // as YARN would, with the burst that the kernel kept
    tick();
    assertThat(seen(OWN)).containsExactly("500000", "300000", "300000");
    executor.use(Map.of());
    assertThat(seen(OWN)).containsExactly("100000", "60000", "0");
  }

  @Test
  void aQuotaThatWasRemovedStaysRemovedAndNothingOfTheBucketIsLeft() throws IOException {
    tick();
    quota(OWN, "500000", "-1", "100000");
    quota(YARNS, "50000", "-1", "0");
    executor.use(Map.of());
    assertThat(seen(OWN)).containsExactly("100000", "-1", "0");
    assertThat(seen(YARNS)).as("set by another program").containsExactly("50000", "-1", "0");
    assertThat(memory).doesNotExist();
  }

  /** As the shared pool does, which leaves the period as it is. */
  @Test
  void aShareThatWasChangedInTheLongPeriodGetsItsOriginalPeriodBack() throws IOException {
    tick();
    quota(OWN, "500000", "300000", "100000");
    quota(YARNS, "500000", "300000", "100000");
    tick();
    assertThat(seen(OWN)).containsExactly("500000", "300000", "300000");
    production.remove("container_2");
    tick();
    assertThat(seen(YARNS)).containsExactly("100000", "60000", "0");
    assertThat(Files.readString(memory)).contains("container_1").doesNotContain("container_2");
    executor.use(Map.of());
    assertThat(seen(OWN)).containsExactly("100000", "60000", "0");
  }

  @Test
  void aContainerThatEndsLeavesNothing() throws IOException {
    tick();
    for (Path file : List.of(machine.path(OWN), machine.path(YARNS))) {
      for (String name : List.of("cpu.cfs_period_us", "cpu.cfs_quota_us", "cpu.cfs_burst_us")) {
        Files.delete(file.resolve(name));
      }
      Files.delete(file);
    }
    production.clear();
    tick();
    assertThat(memory).doesNotExist();
    assertThat(failures.getCount()).isZero();
  }

  @Test
  void observingChangesNothingAndSaysWhatItWouldDoOnce() throws IOException {
    start(RegulatorMode.OBSERVE);
    tick();
    tick();
    assertThat(seen(OWN)).isEqualTo(FOUND);
    assertThat(audit()).hasSize(2).allSatisfy(line -> assertThat(line).contains("observe"));
  }

  @Test
  void withoutAnyQuotaItSaysSoAndChecksNoKernelFeature() {
    quota(OWN, "100000", "-1", "0");
    quota(YARNS, "100000", "-1", "0");
    tick();
    assertThat(state().report().cause()).contains("no container has a quota");
    assertThat(machine.path("cgroup/cpu/charon/burst-probe")).doesNotExist();
  }

  /** Without a stored original value, no change is made, because it could not be undone. */
  @Test
  void whatCannotBeKeptIsNotChangedAndSaidOnce() throws IOException {
    Files.createDirectories(memory);
    tick();
    tick();
    assertThat(seen(OWN)).isEqualTo(FOUND);
    assertThat(audit()).hasSize(2).first().asString().contains("is not a regular file");
    assertThat(failures.getCount()).isEqualTo(4);
  }

  @Test
  void aMemoryThatIsNoneIsSaidAndWrittenAnew() throws IOException {
    Files.createDirectories(memory.getParent());
    Files.writeString(memory, "/a=1\n");
    start(RegulatorMode.ENFORCE);
    assertThat(failures.getCount()).isEqualTo(1);
    tick();
    assertThat(seen(OWN)).isEqualTo(BUCKET);
    assertThat(Files.readString(memory)).contains("container_1=20000 100000 0");
  }

  /** The stored file names the cgroups to be written, so foreign ones must be ignored. */
  @Test
  void aForeignCgroupIsNotTouched() throws IOException {
    quota("cgroup/cpu/other/container_9", "500000", "100000", "100000");
    Files.createDirectories(memory.getParent());
    Files.writeString(memory, machine.path("cgroup/cpu/other/container_9") + "=20000 100000 0\n");
    start(RegulatorMode.ENFORCE);
    assertThat(seen("cgroup/cpu/other/container_9")).isEqualTo(BUCKET);
    assertThat(memory).doesNotExist();
  }

  @Test
  void withoutCgroupsTheCureIsSaid() {
    parts =
        CpuBurstParts.of(
            new CpuBurstSettings(
                RegulatorMode.ENFORCE, 10, Path.of("hadoop-yarn"), Optional.empty()),
            Optional.empty(),
            () -> production);
    assertThat(parts.mechanism().availability().missing()).contains(CgroupLayout.NONE);
    assertThat(parts.actuator().unavailable()).contains(CgroupLayout.NONE);
    assertThat(parts.read(0)).isEmpty();
  }
}
