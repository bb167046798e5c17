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
import java.util.OptionalDouble;

/**
 * Settings of the mechanisms, and the cgroups that they protect.
 *
 * @param memory the memory regulator
 * @param cpu the CPU regulator
 * @param cores the cores regulator
 * @param network the network regulator
 * @param memoryLimit settings of the best-effort memory limit
 * @param mechanisms settings of the other mechanisms, one record each
 * @param foregroundCgroups patterns of the protected cgroups; empty for everything that is not
 *     best-effort
 * @param helper the program that performs privileged operations
 */
public record RegulatorSettings(
    Memory memory,
    Cpu cpu,
    Cores cores,
    Network network,
    MemoryLimitSettings memoryLimit,
    List<Record> mechanisms,
    List<String> foregroundCgroups,
    Path helper) {
  /**
   * The network device whose use is regulated.
   *
   * @param device its name; empty for the device of the default route
   * @param linkBytesPerSecond bandwidth of the link; empty: as reported by its driver
   * @param limit the share of it that best-effort may use
   */
  public record Link(
      Optional<String> device, OptionalDouble linkBytesPerSecond, NetworkLimit limit) {}

  /** The share of the link that best-effort may use. */
  public enum NetworkLimit {
    /** The bandwidth left by the foreground's learned reserve (Scavenger, section 4.3). */
    RESERVE,
    /** The bandwidth that the foreground's packets leave at the moment (our choice). */
    GIVE_WAY
  }

  /** The signal by which the CPU regulator judges whether the foreground suffers. */
  public enum CpuSignal {
    /** The first of these that is available on this machine: instructions, pressure, run queue. */
    AUTO,
    /** Instructions per cycle of the foreground. */
    INSTRUCTIONS,
    /** Share of time in which some thread of the foreground waited for a CPU (PSI). */
    PRESSURE,
    /** Time that the threads of the foreground waited for a CPU. */
    RUN_QUEUE,
    /** No signal: the water line alone determines the CPU time of best-effort. */
    NONE
  }

  /** The resource by which the CPU regulator limits best-effort. */
  public enum CpuLimit {
    /** The CPU time that best-effort may use. */
    QUOTA,
    /** The ways of the last-level cache that best-effort may fill (Intel CAT, through resctrl). */
    CACHE_WAYS
  }

  /**
   * Settings of the memory regulator.
   *
   * @param mode what it may do
   * @param rule how it learns
   */
  public record Memory(RegulatorMode mode, RangeSettings rule) {}

  /**
   * Settings of the CPU regulator.
   *
   * @param mode what it may do
   * @param signal the signal by which it judges the foreground
   * @param rule how the quota follows the signal; the direction depends on the signal
   * @param limit the resource that it limits
   */
  public record Cpu(RegulatorMode mode, CpuSignal signal, CpuQuotaSettings rule, CpuLimit limit) {
    /** Returns the mode of the law that judges the foreground's health; off without a signal. */
    public RegulatorMode healthMode() {
      return signal == CpuSignal.NONE ? RegulatorMode.OFF : mode;
    }
  }

  /**
   * Settings of the cores regulator.
   *
   * @param mode what it may do
   * @param rule how the cores follow the foreground
   */
  public record Cores(RegulatorMode mode, CoresSettings rule) {}

  /**
   * Settings of the network regulator.
   *
   * @param mode what it may do
   * @param rule how it learns
   * @param link the network device and its limit
   */
  public record Network(RegulatorMode mode, RangeSettings rule, Link link) {}

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

  /**
   * Returns the water line, a share of the node's cores below which best-effort's quota and cores
   * stay; empty for none.
   */
  public Optional<WaterLine> waterLine() {
    return cores.rule().waterLine();
  }
}
