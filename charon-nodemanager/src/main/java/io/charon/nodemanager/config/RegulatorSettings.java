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
 * What regulators do, and whom they protect.
 *
 * @param memoryMode what the memory regulator may do
 * @param memory how it learns
 * @param cpuMode what the CPU regulator may do
 * @param cpuSignal by what it judges the foreground
 * @param cpu how its quota follows; which way its signal goes depends on the signal
 * @param cpuLimit what carries its limit out
 * @param coresMode what the cores regulator may do
 * @param cores how cores follow the foreground
 * @param networkMode what the network regulator may do
 * @param network how it learns
 * @param networkDevice where
 * @param memoryLimit how the memory limit around best-effort is moved
 * @param mechanisms what those may do that nothing else knows, a record of each
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
   * What a mechanism may do.
   *
   * @param type of its settings
   * @throws NoSuchElementException if nobody read them
   */
  public <S extends Record> S of(Class<S> type) {
    return mechanisms.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
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
