/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.freeze.FreezeSettings;
import io.charon.core.law.RegulatorMode;
import io.charon.nodemanager.cgroup.CpuSplit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The operator's settings after validation; {@code conf/charon-site.xml} documents each value.
 *
 * @param mode what Charon does on the node
 * @param scheduler settings of the local scheduler
 * @param sensors what is measured, and how often
 * @param placement what containers get at their start
 * @param killers settings of the killers
 * @param freeze when best-effort containers are frozen before one is killed
 * @param regulators settings of the mechanisms, and the cgroups that they protect
 * @param logs what is written for later
 */
public record CharonSettings(
    Mode mode,
    SchedulerSettings scheduler,
    Sensors sensors,
    Placement placement,
    Killers killers,
    FreezeSettings freeze,
    RegulatorSettings regulators,
    Logs logs) {
  /**
   * The memory that counts as the node's; values of {@code
   * yarn.nodemanager.charon.node.memory-boundary}.
   */
  public enum MemoryBoundary {
    /** The memory of the machine. */
    HOST,
    /** The memory of the cgroup in which the NodeManager runs. */
    SELF,
    /** The memory of the cgroup that holds the containers. */
    CGROUP
  }

  /**
   * Attributes of the processes of containers. In table 2 of the Charon paper both scores are
   * -1000, which exempts these processes from the kernel's OOM killer: if one of them leaks memory,
   * the machine kills everything else and then stalls.
   *
   * @param productionOomScore {@code oom_score_adj} of production containers, -1000 to 0
   * @param masterOomScore {@code oom_score_adj} of ApplicationMasters, -1000 to 0
   * @param idleDisk whether best-effort uses the disk only while no other process waits for it
   */
  public record ProcessSettings(int productionOomScore, int masterOomScore, boolean idleDisk) {}

  /**
   * Location and size of a recording.
   *
   * @param directory absolute path
   * @param mostBytes total size limit of all files, bytes
   * @param keys all keys of Charon on the node with their values, which a recording begins with
   */
  public record RecordingSettings(Path directory, long mostBytes, Map<String, String> keys) {
    /** Copies the map. */
    public RecordingSettings {
      keys = Map.copyOf(keys);
    }
  }

  /**
   * Location and size of the audit log.
   *
   * @param directory absolute path
   * @param mostBytes total size limit of all files, bytes
   */
  public record AuditSettings(Path directory, long mostBytes) {}

  /** Checks that no component is null. */
  public CharonSettings {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(scheduler, "scheduler");
    Objects.requireNonNull(sensors, "sensors");
    Objects.requireNonNull(placement, "placement");
    Objects.requireNonNull(killers, "killers");
    Objects.requireNonNull(freeze, "freeze");
    Objects.requireNonNull(regulators, "regulators");
    Objects.requireNonNull(logs, "logs");
  }

  /**
   * Settings of the sensors.
   *
   * @param tick their period
   * @param memoryBoundary the memory that counts as the node's
   */
  public record Sensors(Duration tick, MemoryBoundary memoryBoundary) {
    /** Checks that no component is null. */
    public Sensors {
      Objects.requireNonNull(tick, "tick");
      Objects.requireNonNull(memoryBoundary, "memoryBoundary");
    }
  }

  /**
   * What containers get at their start.
   *
   * @param cgroupPath cgroup that holds the containers; empty if containers get no cgroups
   * @param isolation which component creates the cgroups of containers
   * @param inEveryMode whether containers get cgroups and scores also in modes that do not act
   * @param cpuSplit CPUs of each class; empty if they share all CPUs
   * @param processes attributes of the containers' processes
   * @param masters treatment of the ApplicationMasters of best-effort applications; empty if they
   *     are treated like all others
   */
  public record Placement(
      Optional<String> cgroupPath,
      Isolation isolation,
      boolean inEveryMode,
      Optional<CpuSplit> cpuSplit,
      ProcessSettings processes,
      Optional<MasterSettings> masters) {
    /** Checks that no component is null. */
    public Placement {
      Objects.requireNonNull(cgroupPath, "cgroupPath");
      Objects.requireNonNull(isolation, "isolation");
      Objects.requireNonNull(cpuSplit, "cpuSplit");
      Objects.requireNonNull(processes, "processes");
      Objects.requireNonNull(masters, "masters");
    }

    private Placement withMastersOf(Placement others) {
      return new Placement(cgroupPath, isolation, inEveryMode, cpuSplit, processes, others.masters);
    }
  }

  /**
   * Settings of the killers.
   *
   * @param kernel settings of the kernel killer, which is used in mode {@code enforce} only; empty
   *     if it is not wanted, or containers have no cgroups
   * @param thresholdPercent free memory below which the user-space killer acts, percent of the
   *     node's memory
   * @param poll polling period of the user-space killer
   * @param reportAsPreempted whether a container killed for memory ends as PREEMPTED
   */
  public record Killers(
      Optional<KernelKillerSettings> kernel,
      int thresholdPercent,
      Duration poll,
      boolean reportAsPreempted) {
    /** Checks that no component is null. */
    public Killers {
      Objects.requireNonNull(kernel, "kernel");
      Objects.requireNonNull(poll, "poll");
    }

    private Killers withRuleOf(Killers others) {
      return new Killers(
          kernel
              .map(running -> others.kernel.map(running::withRuleOf).orElse(running))
              .or(others::kernel),
          thresholdPercent,
          poll,
          reportAsPreempted);
    }
  }

  /**
   * What is written for later.
   *
   * @param audit location of the audit log; empty if none is written
   * @param recording location of the recording of the local scheduler's input; empty if none is
   *     written
   */
  public record Logs(Optional<AuditSettings> audit, Optional<RecordingSettings> recording) {
    /** Checks that no component is null. */
    public Logs {
      Objects.requireNonNull(audit, "audit");
      Objects.requireNonNull(recording, "recording");
    }
  }

  /** Returns whether containers that start get cgroups, weights and scores. */
  public boolean places() {
    return mode.acts() || placement.inEveryMode;
  }

  /** Returns whether best-effort's memory is limited. */
  public boolean limitsMemory() {
    return regulators.memoryLimit().mode() == RegulatorMode.ENFORCE;
  }

  /**
   * Returns these settings with the values that may change at run time taken from others.
   *
   * @param others settings that were read later
   */
  public CharonSettings withLivePartsOf(CharonSettings others) {
    return new CharonSettings(
        others.mode,
        scheduler,
        sensors,
        placement.withMastersOf(others.placement),
        killers.withRuleOf(others.killers),
        others.freeze,
        others.regulators,
        logs);
  }
}
