/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cfsquota;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.Cause;
import io.charon.core.law.Decision;
import io.charon.core.law.RegulatedLimit;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.sensor.NodeSides;
import io.charon.nodemanager.sensor.NodeSnapshotReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the CPU regulator from its keys to its decisions, with each of its signals. */
@Tag("hadoop")
class CfsQuotaTest {
  private static final long SECOND = 1_000_000_000L;
  private static final String COUNTS =
      "while read line; do echo 1000 $(/bin/cat '%s/instructions') 9 9; done";

  @TempDir private Path root;
  private FakeMachine machine;
  private Path helper;
  private NodeSnapshotReader reader;
  private RegulatedLimit quota;
  private long seconds;

  @BeforeEach
  void setUp() throws IOException {
    machine =
        FakeMachine.v2(root)
            .file("proc/stat", "cpu  100 0 100 900 50 0 0 7 0 0\ncpu0 1 1\ncpu1 1 1\n")
            .file("proc/pressure/cpu", "some\n")
            .file("proc/self/schedstat", "1 2 3\n")
            .file("cgroup/charon/best-effort/cpuset.cpus.effective", "0-1\n")
            .file("cgroup/charon/best-effort/cpu.max", "max 100000\n");
    helper = root.resolve("helper");
    helper("case $2 in self-test) exit 0;; esac\n" + COUNTS.formatted(root));
  }

  @AfterEach
  void close() throws IOException {
    if (reader != null) {
      reader.close();
    }
  }

  private void helper(String lines) throws IOException {
    Files.writeString(helper, "#!/bin/sh\necho \"$@\" >>" + root + "/calls\n" + lines + "\n");
    Files.setPosixFilePermissions(helper, PosixFilePermissions.fromString("rwx------"));
  }

  private void open(String... keys) throws IOException {
    CgroupLayout layout = machine.detect("/charon");
    reader =
        NodeSnapshotReader.of(
            NodeSides.of(layout, List.of()),
            root.resolve("proc"),
            new Helper(List.of(helper.toString()), Duration.ofSeconds(20)),
            nanos -> ResourceUse.missing("no network"));
    quota = CfsQuota.of(TestSettings.of(keys).regulators().cpu(), reader);
  }

  private Decision second(int instructions) {
    machine.file("instructions", instructions + "\n");
    long nanos = seconds++ * SECOND;
    List<Action> wanted = quota.decide(new Snapshot(nanos, reader.read(nanos, Optional.empty())));
    assertThat(wanted).hasSize(1);
    return quota.decision().orElseThrow();
  }

  @Test
  void fewerInstructionsPerCycleAreWorse() throws IOException {
    open(
        "regulator.cpu.mode", "observe",
        "regulator.cpu.window-ms", "6000",
        "regulator.cpu.start-cores", "1");
    assertThat(quota.report().signal()).isEqualTo("instructions/cycle");
    assertThat(quota.report().note()).isEmpty();
    for (int i = 0; i < 8; i++) {
      second(i % 2 == 0 ? 1990 : 2010);
    }
    // Mean 2, sigma 0.011.
    assertThat(second(2000).cause()).isEqualTo(Cause.INSIDE);
    double quota = second(2000).limit();
    assertThat(second(2015).limit()).as("better: it waits").isEqualTo(quota);
    Decision worse = second(1985);
    assertThat(worse.cause()).isEqualTo(Cause.WORSE);
    assertThat(worse.limit()).isEqualTo(quota / 2);
    assertThat(second(1500).limit()).as("another phase").isEqualTo(0.1);
  }

  @Test
  void withoutCountersTheNextSignalIsTakenAndItSaysWhy() throws IOException {
    helper("echo no counters here; exit 3");
    open("regulator.cpu.mode", "observe");
    assertThat(quota.report().signal()).isEqualTo("pressure");
    assertThat(quota.report().note()).contains("no instructions: no counters here");
    assertThat(quota.availability().missing()).isEmpty();

    Files.delete(machine.path("proc/pressure/cpu"));
    open("regulator.cpu.mode", "observe");
    assertThat(quota.report().signal()).isEqualTo("run-queue");
    assertThat(quota.report().note().orElseThrow()).contains("no counters here").contains("psi=1");
  }

  @Test
  void aSignalThatWasAskedForIsNotReplaced() throws IOException {
    helper("echo no counters here; exit 3");
    open("regulator.cpu.mode", "observe", "regulator.cpu.signal", "instructions");
    assertThat(quota.report().signal()).isEqualTo("instructions/cycle");
    assertThat(quota.availability().missing()).contains("no counters here");
    helper("exit 0");
    quota.checkAgain();
    assertThat(quota.availability().missing()).isEmpty();

    open("regulator.cpu.mode", "observe", "regulator.cpu.signal", "run-queue");
    assertThat(quota.report().signal()).isEqualTo("run-queue");
    assertThat(quota.report().note()).isEmpty();
  }

  @Test
  void aRegulatorThatIsOffRunsNoHelper() throws IOException {
    open();
    assertThat(root.resolve("calls")).doesNotExist();
  }
}
