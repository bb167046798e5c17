/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static io.charon.nodemanager.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.SettingsSource;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.report.status.StatusDocument;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the changes that a node makes to its machine in each mode and while the mode changes. */
@Tag("hadoop")
class CharonNodeModeTest {
  private final FakeYarn yarn = new FakeYarn();
  private static final long MIB = 1 << 20;

  @TempDir Path root;
  private FakeMachine machine;
  private CharonNode node;

  @BeforeEach
  void open() throws IOException {
    machine = FakeMachine.v2(root);
    machine.detect("/charon"); // writes the files of proc
    machine.file("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 900 kB\n");
  }

  @AfterEach
  void close() {
    node.close();
  }

  @ParameterizedTest
  @Tag("must-never")
  @ValueSource(strings = {"observe", "off"})
  void withoutEnforceNothingOnTheMachineChanges(String mode) throws IOException {
    Map<Path, String> before = files();
    node = new CharonNode(settings(mode), Surroundings.ofThisMachine(root.resolve("proc")), yarn);
    node.start();

    for (ContainerInfo container :
        List.of(
            ContainerInfos.master("container_1", MIB),
            ContainerInfos.production("container_2", MIB),
            ContainerInfos.bestEffort("container_3", MIB))) {
      assertThat(node.lifecycle().starting(container)).isEmpty();
    }
    node.lifecycle().changed(ContainerInfos.production("container_3", MIB));
    node.lifecycle().signalled("container_3");
    node.lifecycle().stopped("container_3");
    assertThat(node.canPause("container_2")).isFalse();
    assertThat(node.gate()).isEmpty();
    assertThat(node.status().placement()).isEqualTo(new StatusDocument.Placement(0, 2, true));
    node.close();

    assertThat(files()).isEqualTo(before);
  }

  /** The newest one is frozen before a kill, and it is the one whose end releases enough. */
  @Test
  @Tag("must-never")
  void whatWouldBeFrozenAndEvictedIsInTheAuditOfANodeThatObserves() throws IOException {
    machine.file("proc/meminfo", "MemTotal: 1048576 kB\nMemAvailable: 102400 kB\n");
    node =
        new CharonNode(
            TestSettings.of(
                "mode", "observe",
                "node.tick-ms", "100",
                "freeze.mode", "enforce",
                "evict-line.mode", "enforce",
                "audit.directory", root.resolve("audit").toString()),
            Surroundings.ofThisMachine(root.resolve("proc")),
            yarn.phases(id -> Phase.RUNNING).rootProcesses(() -> Map.of("container_1", 71L)));
    machine.file("proc/71/status", "PPid: 1\nRssAnon: 30720 kB\n");
    assertThat(node.lifecycle().starting(ContainerInfos.bestEffort("container_1", MIB))).isEmpty();
    node.start();

    await(() -> isAudited("\"regulator\":\"freeze\"", "\"action\":\"freeze\""));
    await(() -> isAudited("\"regulator\":\"evict-line\"", "\"action\":\"kill\""));
    assertThat(node.canPause("container_1")).isFalse();
  }

  private boolean isAudited(String... parts) {
    Path audit = root.resolve("audit/audit.jsonl");
    try {
      return Files.exists(audit)
          && Files.readAllLines(audit).stream()
              .filter(line -> line.contains("not applied: observe"))
              .filter(line -> line.contains("\"target\":\"container_1\""))
              .anyMatch(line -> Stream.of(parts).allMatch(line::contains));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void runningContainersStayWhereTheyAreInEnforceAndNewOnesArePlaced() throws IOException {
    machine.nodeCgroups(); // of an earlier NodeManager
    node =
        new CharonNode(settings("observe"), Surroundings.ofThisMachine(root.resolve("proc")), yarn);
    node.lifecycle().starting(ContainerInfos.bestEffort("container_1", MIB));

    node.change(settings("enforce"));

    assertThat(node.status().mode()).isEqualTo("enforce");
    assertThat(
            node.lifecycle().starting(ContainerInfos.bestEffort("container_2", MIB)).orElseThrow())
        .satisfies(
            prefix -> {
              assertThat(prefix.oomScoreAdj()).isEqualTo(1000);
              assertThat(prefix.cgroupProcs())
                  .containsExactly(
                      machine.path("cgroup/charon/best-effort/container_2/cgroup.procs"));
            });
    assertThat(machine.path("cgroup/charon/best-effort/container_1")).doesNotExist();
    assertThat(node.status().placement()).isEqualTo(new StatusDocument.Placement(1, 1, false));

    node.lifecycle().changed(ContainerInfos.production("container_1", MIB));
    assertThat(machine.path("cgroup/charon/production/container_1")).doesNotExist();
    node.lifecycle().stopped("container_1");
    assertThat(node.status().placement()).isEqualTo(new StatusDocument.Placement(1, 0, true));
  }

  @Test
  void backInObservePlacedContainersStayPlacedAndNoOtherIsPlaced() throws IOException {
    machine.nodeCgroups(); // of an earlier NodeManager
    node =
        new CharonNode(settings("enforce"), Surroundings.ofThisMachine(root.resolve("proc")), yarn);
    node.lifecycle().starting(ContainerInfos.bestEffort("container_1", MIB));
    node.lifecycle().starting(ContainerInfos.bestEffort("container_2", MIB));

    node.change(settings("observe"));

    assertThat(node.gate()).isEmpty();
    assertThat(node.lifecycle().starting(ContainerInfos.bestEffort("container_3", MIB))).isEmpty();
    assertThat(node.status().placement()).isEqualTo(new StatusDocument.Placement(2, 1, false));
    node.lifecycle().changed(ContainerInfos.production("container_1", MIB));
    assertThat(machine.path("cgroup/charon/production/container_1"))
        .as("production does not run where best-effort does")
        .exists();
    node.lifecycle().stopped("container_1");
    node.lifecycle().stopped("container_2");
    assertThat(machine.path("cgroup/charon/best-effort/container_2")).doesNotExist();
    assertThat(node.status().placement()).isEqualTo(new StatusDocument.Placement(0, 1, true));
  }

  @Test
  void whatAnEarlierLifeLimitedIsFreedWhereCharonDoesNotAct() throws IOException {
    machine.nodeCgroups(); // of an earlier NodeManager
    String quota = "cgroup/charon/best-effort/cpu.max";
    machine.file(quota, "20000 100000\n");
    node =
        new CharonNode(settings("observe"), Surroundings.ofThisMachine(root.resolve("proc")), yarn);
    yarn.killer(containerId -> {});
    node.start();

    assertThat(machine.read(quota)).startsWith("max");
  }

  /** Freezing decides whether the limit includes swap. */
  @Test
  void theMemoryLimitFollowsTheModeOfFreezing() throws Exception {
    Path helper = root.resolve("helper");
    Path starts = Files.createFile(root.resolve("starts"));
    Files.writeString(
        helper,
        """
        #!/bin/sh
        [ "$1 $#" != "memory-limit 5" ] || echo start >>%s
        while read line; do echo '{"event":"limit","wallBytes":900000000}'; done
        """
            .formatted(starts));
    Files.setPosixFilePermissions(helper, PosixFilePermissions.fromString("rwx------"));
    String bestEffort = "cgroup/charon/best-effort/";
    machine
        .nodeCgroups()
        .file(
            "proc/meminfo", "MemTotal: 1048576 kB\nMemFree: 1000000 kB\nMemAvailable: 1000000 kB\n")
        .file(bestEffort + "cgroup.threads", "17\n")
        .file(bestEffort + "cgroup.type", "domain\n")
        .file(bestEffort + "memory.current", "1048576\n")
        .file(bestEffort + "memory.max", "max\n")
        .file(bestEffort + "memory.stat", "active_file 0\ninactive_file 0\n");
    Path overrides = Files.createDirectory(root.resolve("charon")).resolve("overrides.properties");
    SettingsSource.Opened opened =
        SettingsSource.open(
            TestSettings.configuration(
                "node.tick-ms", "100",
                "regulator.helper", helper.toString(),
                "overrides-file", overrides.toString()),
            System.getProperty("user.name"),
            MechanismList.keys());
    node =
        new CharonNode(
            opened.settings(),
            Surroundings.ofThisMachine(root.resolve("proc")),
            yarn.killer(containerId -> {}));
    node.follow(opened.source());
    node.start();
    await(() -> starts(starts) == 1);

    Files.writeString(overrides, "yarn.nodemanager.charon.freeze.mode=enforce");

    await(() -> starts(starts) == 2);
  }

  private static long starts(Path file) {
    try {
      return Files.readAllLines(file).size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<Path, String> files() throws IOException {
    Map<Path, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : all.toList()) {
        files.put(path, Files.isRegularFile(path) ? Files.readString(path) : "");
      }
    }
    return files;
  }

  private static CharonSettings settings(String mode) {
    return TestSettings.of(
        "mode",
        mode,
        "node.tick-ms",
        "100",
        "regulator.cpu.mode",
        "observe",
        "freeze.mode",
        "observe");
  }
}
