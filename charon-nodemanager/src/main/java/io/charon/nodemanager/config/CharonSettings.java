/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.freeze.PauseSettings;
import io.charon.nodemanager.cgroup.CpuSplit;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What the operator decided, checked; {@code conf/charon-site.xml} says what each value means.
 *
 * @param mode what Charon does on the node
 * @param scheduler how the local scheduler decides
 * @param tick period of the sensors
 * @param memoryBoundary whose memory the node has
 * @param cgroupPath cgroup that holds the containers; empty if containers get no cgroups
 * @param isolation who makes the cgroups of containers
 * @param cgroupsInEveryMode whether containers get cgroups and scores in modes that do not act, too
 * @param cpuSplit CPUs of each side, if they are split
 * @param processes what those of containers carry
 * @param masters how ApplicationMasters of best-effort applications are treated; empty if as all
 * @param kernelKiller how the kernel killer is used in mode enforce; empty if it is not
 * @param killerThresholdPercent share of the node below which the user-space killer acts
 * @param killerPoll how often the user-space killer looks
 * @param reportAsPreempted whether a container killed for memory ends as PREEMPTED
 * @param pause when best-effort containers are frozen before one is killed
 * @param regulators what regulators do, and whom they protect
 * @param audit where decisions are written down; empty if nowhere
 * @param recording where what the local scheduler is told is written down; empty if nowhere
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
    PauseSettings pause,
    RegulatorSettings regulators,
    Optional<AuditSettings> audit,
    Optional<RecordingSettings> recording) {

  /** Checks that nothing is missing. */
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
    Objects.requireNonNull(pause, "pause");
    Objects.requireNonNull(regulators, "regulators");
    Objects.requireNonNull(audit, "audit");
    Objects.requireNonNull(recording, "recording");
  }

  /** Whether containers that start get cgroups, weights and scores. */
  public boolean places() {
    return mode.acts() || cgroupsInEveryMode;
  }

  /**
   * These settings with what may change while the NodeManager runs taken from others.
   *
   * @param others read later
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
        others.pause,
        others.regulators,
        audit,
        recording);
  }
}
