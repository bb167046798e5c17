/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.law.CoresSettings;
import io.charon.core.law.CpuQuotaSettings;
import io.charon.core.law.RangeSettings;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.WaterLine;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What regulators do, and whom they protect.
 *
 * @param memoryMode what the memory regulator may do
 * @param memory how it learns
 * @param cpuMode what the CPU regulator may do
 * @param cpuSignal by what it judges the foreground
 * @param cpu how its quota follows; which way its signal goes depends on the signal
 * @param cpuLimit what carries its limit out
 * @param resctrl how best-effort's part of caches and memory bandwidth is limited
 * @param coresMode what the cores regulator may do
 * @param cores how cores follow the foreground
 * @param networkMode what the network regulator may do
 * @param network how it learns
 * @param networkDevice where
 * @param memoryLimit how the memory limit around best-effort is moved
 * @param diskLimit how best-effort's reads are limited while production refills its page cache
 * @param cpuBurst what production containers with a CPU quota may save up
 * @param eviction when best-effort containers are evicted, and who
 * @param cpuPool whether production containers that share processors get quotas that follow these
 * @param proactiveReclaim how cold memory of running containers is taken
 * @param foregroundCgroups patterns of the cgroups that are protected; empty for everything that is
 *     not best-effort
 * @param helper the program that does what takes privileges
 */
public record RegulatorSettings(
    RegulatorMode memoryMode,
    RangeSettings memory,
    RegulatorMode cpuMode,
    CpuSignal cpuSignal,
    CpuQuotaSettings cpu,
    CpuLimit cpuLimit,
    ResctrlSettings resctrl,
    RegulatorMode coresMode,
    CoresSettings cores,
    RegulatorMode networkMode,
    RangeSettings network,
    NetworkSettings networkDevice,
    MemoryLimitSettings memoryLimit,
    DiskLimitSettings diskLimit,
    CpuBurstSettings cpuBurst,
    EvictionSettings eviction,
    CpuPoolSettings cpuPool,
    ProactiveReclaimSettings proactiveReclaim,
    List<String> foregroundCgroups,
    Path helper) {
  /** Copies the list. */
  public RegulatorSettings {
    foregroundCgroups = List.copyOf(foregroundCgroups);
  }

  /** What the law that judges the foreground's health may do. */
  public RegulatorMode healthMode() {
    return cpuSignal == CpuSignal.NONE ? RegulatorMode.OFF : cpuMode;
  }

  /** Below which best-effort's quota and its cores stay, of the node's cores; empty for none. */
  public Optional<WaterLine> waterLine() {
    return cores.waterLine();
  }
}
