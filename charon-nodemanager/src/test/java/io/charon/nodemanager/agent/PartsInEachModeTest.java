/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.RegulatorMode;
import io.charon.core.scheduler.LaunchVerdict.Reason;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.Mode;
import io.charon.nodemanager.config.SettingsReader;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.container.LaunchPrefix;
import io.charon.nodemanager.mechanisms.freeze.FreezeState;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * Tests what is in force in each mode of a node whose operator has turned everything on. A new
 * mechanism needs its row here, and in docs/modes.md.
 */
@Tag("hadoop")
class PartsInEachModeTest {
  private static final String IN_FORCE =
      """
      PART                   OFF  OBSERVE  THRESHOLD  ENFORCE
      launch-by-snapshot     off  observe  off        enforce
      launch-by-threshold    off  off      enforce    off
      busy-processors        off  observe  off        enforce
      start-limit            off  observe  off        enforce
      cgroups                off  off      enforce    enforce
      idle-disk-class        off  off      enforce    enforce
      master-weights         off  off      off        enforce
      kernel-killer          off  off      off        enforce
      user-space-killer      off  observe  enforce    enforce
      freeze                 off  observe  off        enforce
      memory-limit           off  observe  off        enforce
      memory                 off  observe  enforce    enforce
      cpu                    off  observe  enforce    enforce
      cpu-water-line         off  observe  enforce    enforce
      cores                  off  observe  enforce    enforce
      network                off  observe  enforce    enforce
      disk-limit             off  observe  off        enforce
      process-limit          off  observe  off        enforce
      cpu-pool               off  observe  off        enforce
      cpu-burst              off  observe  off        enforce
      proactive-reclaim      off  observe  off        enforce
      evict-line             off  observe  off        enforce
      evict-psi              off  observe  off        enforce
      evict-satisfaction     off  observe  off        enforce
      cache-ways             off  observe  off        enforce
      memory-bandwidth       off  observe  off        enforce
      """;

  private static final long MIB = 1 << 20;

  @TempDir private Path root;
  private NodeParts parts;

  @AfterEach
  void close() {
    parts.killers.closeUserSpace();
    parts.ticker.close();
    parts.settings.close();
    parts.executor.close();
    parts.killers.close();
    parts.audit.close();
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void nothingElseIsInForce(Mode mode) throws IOException {
    FakeMachine machine = FakeMachine.v2(root).nodeCgroups();
    machine.detect("/charon"); // writes the files of proc
    machine
        .file("proc/meminfo", "MemTotal: 1024000 kB\nMemAvailable: 900000 kB\n")
        .file("cgroup/charon/best-effort/cgroup.freeze", "0\n");
    CharonSettings wanted = everythingOn(mode);
    parts =
        new NodeParts(
            wanted,
            Surroundings.ofThisMachine(root.resolve("proc")).with(root.resolve("sys")),
            new FakeYarn(),
            LoggerFactory.getLogger(PartsInEachModeTest.class));

    assertThat(inForce(wanted)).isEqualTo(column(mode));
  }

  private static Map<String, String> column(Mode mode) {
    List<String[]> rows = IN_FORCE.lines().map(line -> line.split(" +")).toList();
    int column = List.of(rows.get(0)).indexOf(mode.name());
    return rows.stream()
        .skip(1)
        .collect(Collectors.toMap(row -> row[0], row -> row[column], (a, b) -> a, TreeMap::new));
  }

  /** Returns the settings of an operator who has turned everything on. */
  private static CharonSettings everythingOn(Mode mode) {
    List<String> keys = new ArrayList<>();
    Configuration defaults = new Configuration(false);
    defaults.addResource(SettingsReader.class.getResource("charon-site.xml"));
    for (Map.Entry<String, String> entry : defaults) {
      String key = entry.getKey().substring(SettingsReader.PREFIX.length());
      if (key.endsWith(".mode")) {
        keys.addAll(List.of(key, "enforce"));
      }
    }
    keys.addAll(List.of("mode", mode.name().toLowerCase(Locale.ROOT)));
    keys.addAll(List.of("scheduler.starts-per-core", "1"));
    keys.addAll(List.of("scheduler.start-window-ms", "600000"));
    keys.addAll(List.of("regulator.cpu.water-line-percent", "65"));
    return TestSettings.of(keys.toArray(String[]::new));
  }

  private Map<String, String> inForce(CharonSettings wanted) {
    Map<String, String> found = new TreeMap<>();
    launches(found);
    Optional<LaunchPrefix> prefix =
        parts.lifecycle.starting(ContainerInfos.bestEffort("container_9", MIB));
    found.put("cgroups", mode(prefix.filter(it -> !it.cgroupProcs().isEmpty()).isPresent()));
    found.put(
        "idle-disk-class",
        mode(prefix.filter(it -> it.last().toString().contains("ionice")).isPresent()));
    found.put("master-weights", mode(parts.settings.now().placement().masters().isPresent()));
    found.put("kernel-killer", mode(parts.killers.kernel().isPresent()));
    parts.killers.start(wanted);
    found.put(
        "user-space-killer",
        parts.launches.observer().isPresent() ? "observe" : mode(parts.killers.userSpaceKills()));
    FreezeState freeze = parts.freeze.state();
    found.put("freeze", freeze.unavailable().isPresent() ? "off" : lower(freeze.mode()));
    parts
        .settings
        .mechanisms()
        .states()
        .forEach(state -> found.put(state.name(), lower(state.mode())));
    return found;
  }

  /** Finds out by which rule the gate launches, and which limits it has. */
  private void launches(Map<String, String> found) {
    LaunchGate gate = parts.launches.gateInAnyMode();
    NodeMemory ample = new NodeMemory(1000 * MIB, 900 * MIB);
    gate.processors(1, 100);
    gate.observed(ample, Map.of());
    boolean busy = ask(gate, "container_1") == Reason.PROCESSORS_BUSY;
    gate.processors(1, 0);
    gate.observed(ample, Map.of());
    ask(gate, "container_1");
    boolean limited = ask(gate, "container_2") == Reason.STARTING_LIMIT;
    boolean oneAtATime = ask(gate, "container_3") == Reason.ONE_AT_A_TIME;
    String decides =
        parts.launches.observer().isPresent() ? "observe" : mode(parts.launches.gate().isPresent());
    found.put("busy-processors", busy ? decides : "off");
    found.put("start-limit", limited ? decides : "off");
    found.put("launch-by-threshold", oneAtATime ? decides : "off");
    found.put("launch-by-snapshot", oneAtATime ? "off" : decides);
  }

  private static Reason ask(LaunchGate gate, String containerId) {
    return gate.request(ContainerInfos.bestEffort(containerId, MIB).launchRequest())
        .verdict()
        .reason();
  }

  private static String mode(boolean enforced) {
    return enforced ? "enforce" : "off";
  }

  private static String lower(RegulatorMode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }
}
