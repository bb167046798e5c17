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
import io.charon.nodemanager.config.RegulatorSettings.CpuLimit;
import io.charon.nodemanager.config.RegulatorSettings.CpuSignal;
import io.charon.nodemanager.config.RegulatorSettings.Link;
import io.charon.nodemanager.config.RegulatorSettings.NetworkLimit;
import io.charon.nodemanager.network.NetworkDevice;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Reads the settings of the regulators and of the other mechanisms. */
public final class RegulatorKeys {
  public static final String MEMORY_MODE = "yarn.nodemanager.charon.regulator.memory.mode";
  public static final String MEMORY_WINDOW = "yarn.nodemanager.charon.regulator.memory.window-ms";
  public static final String CPU_MODE = "yarn.nodemanager.charon.regulator.cpu.mode";
  public static final String CPU_SIGNAL = "yarn.nodemanager.charon.regulator.cpu.signal";
  public static final String CPU_LIMIT = "yarn.nodemanager.charon.regulator.cpu.limit";
  public static final String CPU_WINDOW = "yarn.nodemanager.charon.regulator.cpu.window-ms";
  public static final String CORES_MODE = "yarn.nodemanager.charon.regulator.cores.mode";
  public static final String NETWORK_MODE = "yarn.nodemanager.charon.regulator.network.mode";
  public static final String NETWORK_LIMIT = "yarn.nodemanager.charon.regulator.network.limit";
  public static final String NETWORK_WINDOW = "yarn.nodemanager.charon.regulator.network.window-ms";
  public static final String NETWORK_DEVICE = "yarn.nodemanager.charon.regulator.network.device";
  public static final String NETWORK_LINK = "yarn.nodemanager.charon.regulator.network.link-mbit";
  public static final String FOREGROUND_CGROUPS =
      "yarn.nodemanager.charon.regulator.foreground-cgroups";
  public static final String HELPER = "yarn.nodemanager.charon.regulator.helper";

  private static final String CPU_MINIMUM = "yarn.nodemanager.charon.regulator.cpu.minimum-cores";
  private static final String CPU_MAXIMUM = "yarn.nodemanager.charon.regulator.cpu.maximum-cores";
  private static final String CPU_START = "yarn.nodemanager.charon.regulator.cpu.start-cores";

  /** More than any machine has. */
  static final int MAX_CORES = 1024;

  private static final String AUTO = "auto";

  /** Smallest quota: the kernel accepts no less than 1 ms in each period of 100 ms. */
  private static final double MIN_CORES = 0.01;

  /** 1 Tbit/s. */
  private static final double MAX_MEGABITS = 1_000_000;

  private static final double BYTES_PER_MEGABIT = 125_000;

  private final Keys keys;
  private final Duration tick;

  private RegulatorKeys(Keys keys, Duration tick) {
    this.keys = keys;
    this.tick = tick;
  }

  /**
   * Reads the settings from {@code keys} and adds invalid values to their problems.
   *
   * @param tick period of the ticks, the longest time between two samples of a regulator
   */
  static RegulatorSettings read(
      Keys keys, Mode mode, boolean cgroups, Duration tick, List<MechanismKeys> mechanisms) {
    return new RegulatorKeys(keys, tick).regulators(mode, cgroups, mechanisms);
  }

  private RegulatorSettings regulators(Mode mode, boolean cgroups, List<MechanismKeys> mechanisms) {
    RegulatorMode memory = keys.choice(MEMORY_MODE, RegulatorMode.class);
    RegulatorMode cpu = keys.choice(CPU_MODE, RegulatorMode.class);
    RegulatorMode cores = keys.choice(CORES_MODE, RegulatorMode.class);
    RegulatorMode network = keys.choice(NETWORK_MODE, RegulatorMode.class);
    List<String> foreground = keys.cgroupPatterns(FOREGROUND_CGROUPS);
    if (!cgroups) {
      // In observe the status reports which signals are missing, so only enforce is a problem.
      Map<String, Boolean> needCgroups =
          Map.of(
              CPU_MODE, cpu == RegulatorMode.ENFORCE,
              CORES_MODE, cores == RegulatorMode.ENFORCE,
              NETWORK_MODE, network == RegulatorMode.ENFORCE,
              FOREGROUND_CGROUPS, !foreground.isEmpty());
      new TreeMap<>(needCgroups)
          .forEach(
              (key, used) -> {
                if (used) {
                  keys.problem(key + " needs " + CgroupKeys.ENABLED + " to be true");
                }
              });
    }
    CpuSignal signal = keys.choice(CPU_SIGNAL, CpuSignal.class);
    CpuLimit cpuLimit = keys.choice(CPU_LIMIT, CpuLimit.class);
    CoresSettings coresSettings = CoresKeys.read(keys);
    if (coresSettings.followLoad()) {
      checkWindow(CoresKeys.WINDOW, cores, coresSettings.window());
    }
    if (signal == CpuSignal.NONE && coresSettings.waterLine().isEmpty()) {
      keys.problem(CPU_SIGNAL + " is 'none', which needs " + CoresKeys.WATER_LINE);
    }
    return new RegulatorSettings(
        new RegulatorSettings.Memory(
            mode.lowerOfRegulator(memory),
            range(MEMORY_WINDOW, "yarn.nodemanager.charon.regulator.memory.std-factor", memory)),
        new RegulatorSettings.Cpu(mode.lowerOfRegulator(cpu), signal, cpuQuota(cpu), cpuLimit),
        new RegulatorSettings.Cores(mode.lowerOfRegulator(cores), coresSettings),
        new RegulatorSettings.Network(
            mode.lowerOfRegulator(network),
            range(NETWORK_WINDOW, "yarn.nodemanager.charon.regulator.network.std-factor", network),
            link()),
        MemoryLimitKeys.read(keys, mode, cgroups),
        mechanisms.stream().map(one -> one.read(keys, mode, cgroups)).toList(),
        foreground,
        keys.absolutePath(HELPER, "the absolute path of the program ua-killer"));
  }

  private Link link() {
    String device = keys.value(NETWORK_DEVICE);
    boolean chosen = !device.equals(AUTO);
    if (!NetworkDevice.isName(device)) {
      keys.wrong(NETWORK_DEVICE, device, "auto, or the name of a network device such as eth0");
    }
    OptionalDouble bandwidth =
        keys.value(NETWORK_LINK).equals(AUTO)
            ? OptionalDouble.empty()
            : OptionalDouble.of(keys.decimal(NETWORK_LINK, 1, MAX_MEGABITS) * BYTES_PER_MEGABIT);
    return new Link(
        Optional.of(device).filter(name -> chosen),
        bandwidth,
        keys.choice(NETWORK_LIMIT, NetworkLimit.class));
  }

  private RangeSettings range(String windowKey, String factorKey, RegulatorMode mode) {
    Duration window = keys.millis(windowKey, 1000, 86_400_000);
    checkWindow(windowKey, mode, window);
    return new RangeSettings(window, keys.decimal(factorKey, 0, 100));
  }

  /** Refuses a window with so few samples that the regulator would never learn from it. */
  private void checkWindow(String key, RegulatorMode mode, Duration window) {
    if (mode != RegulatorMode.OFF
        && window.compareTo(tick.multipliedBy(RangeSettings.MIN_SAMPLES)) < 0) {
      keys.wrong(
          key,
          keys.value(key),
          "at least %d times %s (%d)"
              .formatted(RangeSettings.MIN_SAMPLES, SettingsReader.TICK, tick.toMillis()));
    }
  }

  private CpuQuotaSettings cpuQuota(RegulatorMode mode) {
    double minimum = keys.decimal(CPU_MINIMUM, MIN_CORES, MAX_CORES);
    double maximum = keys.decimal(CPU_MAXIMUM, MIN_CORES, MAX_CORES);
    double start = keys.decimal(CPU_START, MIN_CORES, MAX_CORES);
    if (maximum < minimum || start < minimum || start > maximum) {
      keys.wrong(
          CPU_START,
          keys.value(CPU_START),
          "from %s (%s) to %s (%s)".formatted(CPU_MINIMUM, minimum, CPU_MAXIMUM, maximum));
      maximum = Math.max(minimum, maximum);
      start = minimum;
    }
    return CpuQuotaSettings.ofThePaper(
        range(CPU_WINDOW, "yarn.nodemanager.charon.regulator.cpu.std-factor", mode),
        CpuQuotaSettings.Worse.HIGHER,
        minimum,
        maximum,
        start);
  }
}
