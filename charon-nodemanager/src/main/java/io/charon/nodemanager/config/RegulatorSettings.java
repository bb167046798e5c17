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
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Settings of the mechanisms, and the cgroups that they protect.
 *
 * @param memoryMode what the memory regulator may do
 * @param memory how the memory regulator learns
 * @param cpuMode what the CPU regulator may do
 * @param cpuSignal the signal by which the CPU regulator judges the foreground
 * @param cpu how the quota follows the signal; the direction depends on the signal
 * @param cpuLimit the resource that the CPU regulator limits
 * @param coresMode what the cores regulator may do
 * @param cores how the cores follow the foreground
 * @param networkMode what the network regulator may do
 * @param network how the network regulator learns
 * @param networkDevice the network device and its limit
 * @param memoryLimit settings of the best-effort memory limit
 * @param mechanisms settings of the other mechanisms, one record each
 * @param foregroundCgroups patterns of the protected cgroups; empty for everything that is not
 *     best-effort
 * @param helper the program that performs privileged operations
 */
public record RegulatorSettings(
    RegulatorMode memoryMode,
    RangeSettings memory,
    RegulatorMode cpuMode,
    CpuSignal cpuSignal,
    CpuQuotaSettings cpu,
    CpuLimit cpuLimit,
    RegulatorMode coresMode,
    CoresSettings cores,
    RegulatorMode networkMode,
    RangeSettings network,
    NetworkSettings networkDevice,
    MemoryLimitSettings memoryLimit,
    List<Record> mechanisms,
    List<String> foregroundCgroups,
    Path helper) {
  /** Copies the lists. */
  public RegulatorSettings {
    mechanisms = List.copyOf(mechanisms);
    foregroundCgroups = List.copyOf(foregroundCgroups);
  }

  /**
   * Returns the settings of a mechanism.
   *
   * @param type the class of its settings
   * @throws NoSuchElementException if no such settings were read
   */
  public <S extends Record> S of(Class<S> type) {
    return mechanisms.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
  }

  /** Returns the mode of the law that judges the foreground's health; off without a signal. */
  public RegulatorMode healthMode() {
    return cpuSignal == CpuSignal.NONE ? RegulatorMode.OFF : cpuMode;
  }

  /**
   * Returns the water line, a share of the node's cores below which best-effort's quota and cores
   * stay; empty for none.
   */
  public Optional<WaterLine> waterLine() {
    return cores.waterLine();
  }
}
