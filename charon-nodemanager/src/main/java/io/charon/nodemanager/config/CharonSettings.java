/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.freeze.FreezeSettings;
import io.charon.nodemanager.cgroup.CpuSplit;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The operator's settings after validation; {@code conf/charon-site.xml} documents each value.
 *
 * @param mode what Charon does on the node
 * @param scheduler settings of the local scheduler
 * @param tick period of the sensors
 * @param memoryBoundary the memory that counts as the node's
 * @param cgroupPath cgroup that holds the containers; empty if containers get no cgroups
 * @param isolation which component creates the cgroups of containers
 * @param cgroupsInEveryMode whether containers get cgroups and scores also in modes that do not act
 * @param cpuSplit CPUs of each class; empty if they share all CPUs
 * @param processes attributes of the containers' processes
 * @param masters treatment of the ApplicationMasters of best-effort applications; empty if they are
 *     treated like all others
 * @param kernelKiller settings of the kernel killer, which kills in mode {@code enforce} only;
 *     empty if it is not used
 * @param killerThresholdPercent free memory below which the user-space killer acts, percent of the
 *     node's memory
 * @param killerPoll polling period of the user-space killer
 * @param reportAsPreempted whether a container killed for memory ends as PREEMPTED
 * @param freeze when best-effort containers are frozen before one is killed
 * @param regulators settings of the mechanisms, and the cgroups that they protect
 * @param audit location of the audit log; empty if none is written
 * @param recording location of the recording of the local scheduler's input; empty if none is
 *     written
 */
public record CharonSettings(
    Mode mode,
    SchedulerSettings scheduler,
    Duration tick,
    MemoryBoundary memoryBoundary,
    Optional<String> cgroupPath,
    Isolation isolation,
    boolean cgroupsInEveryMode,
    Optional<CpuSplit> cpuSplit,
    ProcessSettings processes,
    Optional<MasterSettings> masters,
    Optional<KernelKillerSettings> kernelKiller,
    int killerThresholdPercent,
    Duration killerPoll,
    boolean reportAsPreempted,
    FreezeSettings freeze,
    RegulatorSettings regulators,
    Optional<AuditSettings> audit,
    Optional<RecordingSettings> recording) {

  /** Checks that no component is null. */
  public CharonSettings {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(scheduler, "scheduler");
    Objects.requireNonNull(memoryBoundary, "memoryBoundary");
    Objects.requireNonNull(cgroupPath, "cgroupPath");
    Objects.requireNonNull(isolation, "isolation");
    Objects.requireNonNull(cpuSplit, "cpuSplit");
    Objects.requireNonNull(processes, "processes");
    Objects.requireNonNull(masters, "masters");
    Objects.requireNonNull(kernelKiller, "kernelKiller");
    Objects.requireNonNull(freeze, "freeze");
    Objects.requireNonNull(regulators, "regulators");
    Objects.requireNonNull(audit, "audit");
    Objects.requireNonNull(recording, "recording");
  }

  /** Returns whether containers that start get cgroups, weights and scores. */
  public boolean places() {
    return mode.acts() || cgroupsInEveryMode;
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
        tick,
        memoryBoundary,
        cgroupPath,
        isolation,
        cgroupsInEveryMode,
        cpuSplit,
        processes,
        others.masters,
        kernelKiller
            .map(running -> others.kernelKiller.map(running::withRuleOf).orElse(running))
            .or(others::kernelKiller),
        killerThresholdPercent,
        killerPoll,
        reportAsPreempted,
        others.freeze,
        others.regulators,
        audit,
        recording);
  }
}
