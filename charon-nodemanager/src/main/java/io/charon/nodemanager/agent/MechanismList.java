/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.nodemanager.cgroup.CgroupException;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.CpuBurstSettings;
import io.charon.nodemanager.config.CpuPoolSettings;
import io.charon.nodemanager.config.DiskLimitSettings;
import io.charon.nodemanager.config.EvictionSettings;
import io.charon.nodemanager.config.MechanismKeys;
import io.charon.nodemanager.config.ProactiveReclaimSettings;
import io.charon.nodemanager.config.ProcessLimitSettings;
import io.charon.nodemanager.config.ResctrlSettings;
import io.charon.nodemanager.execution.MechanismParts;
import io.charon.nodemanager.execution.MechanismRunner;
import io.charon.nodemanager.helper.Helper;
import io.charon.nodemanager.mechanisms.cpuburst.CpuBurstParts;
import io.charon.nodemanager.mechanisms.cpupool.CpuPoolParts;
import io.charon.nodemanager.mechanisms.disklimit.DiskLimitParts;
import io.charon.nodemanager.mechanisms.eviction.EvictionParts;
import io.charon.nodemanager.mechanisms.llc.ResctrlParts;
import io.charon.nodemanager.mechanisms.llc.RunningIds;
import io.charon.nodemanager.mechanisms.processlimit.ProcessLimitParts;
import io.charon.nodemanager.mechanisms.reclaim.ReclaimParts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The mechanisms that no other part of a node depends on, in the order in which they decide, are
 * displayed and are undone. A new mechanism is registered with one entry here
 * (docs/writing-a-mechanism.md).
 */
public final class MechanismList {
  /**
   * One registered mechanism.
   *
   * @param keys reads its settings
   * @param parts creates its parts for a node, without touching the machine
   */
  private record Entry(MechanismKeys keys, Function<Node, MechanismParts> parts) {}

  /**
   * What a mechanism could do on a machine.
   *
   * @param mode its mode there
   * @param availability whether it works, or would work if it were on
   */
  public record Ability(RegulatorMode mode, Availability availability) {}

  /**
   * The node on which the mechanisms work.
   *
   * @param settings the operator's settings
   * @param machine the machine and its cgroups
   * @param containers suppliers of the state of the containers
   * @param helper performs privileged operations
   */
  record Node(
      CharonSettings settings,
      NodeMechanisms.Machine machine,
      NodeMechanisms.Containers containers,
      Helper helper) {
    private <S extends Record> S wanted(Class<S> type) {
      return settings.regulators().of(type);
    }

    private boolean placed() {
      return machine.layout().isPresent();
    }

    private RunningIds running() {
      return new RunningIds(
          () ->
              containers.tasks().get().oldestFirst().stream()
                  .map(BestEffortTasks.Task::id)
                  .collect(Collectors.toSet()),
          () -> containers.reservations().get().keySet());
    }
  }

  private MechanismList() {}

  private static List<Entry> lines() {
    return List.of(
        new Entry(
            DiskLimitSettings::read,
            node ->
                DiskLimitParts.of(
                    node.settings.regulators(),
                    node.machine.possible(),
                    node.placed(),
                    node.machine.procRoot(),
                    node.machine.sysRoot())),
        new Entry(
            ProcessLimitSettings::read,
            node ->
                ProcessLimitParts.of(
                    node.wanted(ProcessLimitSettings.class),
                    node.machine.possible(),
                    node.machine.procRoot())),
        // Before cpu-burst: the quotas that the pool found may be buckets, so they are restored
        // before the buckets are undone.
        new Entry(
            CpuPoolSettings::read,
            node ->
                CpuPoolParts.of(
                    node.wanted(CpuPoolSettings.class),
                    node.machine.layout(),
                    node.machine.procRoot(),
                    node.machine.sysRoot(),
                    node.containers.vcores())),
        new Entry(
            CpuBurstSettings::read,
            node ->
                CpuBurstParts.of(
                    node.wanted(CpuBurstSettings.class),
                    node.machine.layout(),
                    () -> node.containers.reservations().get().keySet())),
        new Entry(
            ProactiveReclaimSettings::read,
            node ->
                ReclaimParts.of(
                    node.wanted(ProactiveReclaimSettings.class),
                    node.settings.sensors().tick(),
                    node.machine.possible(),
                    node.placed(),
                    node.machine.procRoot(),
                    node.helper,
                    node.containers.lastKill())),
        new Entry(
            EvictionSettings::read,
            node ->
                new EvictionParts(
                    node.wanted(EvictionSettings.class),
                    node.settings.sensors().tick(),
                    node.machine.layout(),
                    node.machine.procRoot())),
        new Entry(
            ResctrlSettings::read,
            node ->
                ResctrlParts.of(
                    node.wanted(ResctrlSettings.class),
                    node.machine.layout(),
                    node.machine.procRoot(),
                    node.running())));
  }

  /** Returns the readers of all mechanisms' settings. */
  public static List<MechanismKeys> keys() {
    return lines().stream().map(Entry::keys).toList();
  }

  /** Creates the parts of all mechanisms for a node. */
  static List<MechanismParts> on(Node node) {
    return lines().stream().map(line -> line.parts().apply(node)).toList();
  }

  /**
   * Asks every mechanism, also those that are off, whether it could work on a machine, assuming
   * that containers had their cgroups. Does not change the machine.
   *
   * @param settings the operator's settings
   * @param procRoot the mount point of proc
   * @param sysRoot the mount point of sysfs
   * @return mode and availability by mechanism name, in its order
   * @throws IOException if a file that was read could not be closed
   */
  public static SortedMap<String, Ability> abilities(
      CharonSettings settings, Path procRoot, Path sysRoot) throws IOException {
    Optional<CgroupLayout> layout = layout(settings, procRoot);
    Node node =
        new Node(
            settings,
            new NodeMechanisms.Machine(
                procRoot, sysRoot, layout, layout, Optional.empty(), Optional.empty()),
            NodeMechanisms.Containers.none(),
            new Helper(List.of(settings.regulators().helper().toString()), Duration.ZERO));
    SortedMap<String, Ability> asked = new TreeMap<>();
    for (MechanismParts parts : on(node)) {
      for (MechanismRunner.Entry entry : parts.entries()) {
        asked.put(
            entry.mechanism().name(), new Ability(entry.mode(), entry.mechanism().availability()));
      }
      parts.close();
    }
    return asked;
  }

  private static Optional<CgroupLayout> layout(CharonSettings settings, Path procRoot) {
    try {
      return settings.placement().cgroupPath().isEmpty()
          ? Optional.empty()
          : Optional.of(
              CgroupLayout.detect(
                  procRoot,
                  settings.placement().cgroupPath().get(),
                  settings.placement().isolation().taken()));
    } catch (CgroupException none) {
      return Optional.empty();
    }
  }
}
