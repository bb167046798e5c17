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
final class RegulatorKeys {
  /** Common prefix of most keys; they may change at run time. */
  static final String REGULATOR = SettingsReader.PREFIX + "regulator.";

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

  /**
   * Returns the mode of a regulator, never more than that of a node that does not act; it also acts
   * in the baseline with a threshold.
   */
  private static RegulatorMode lower(Mode node, RegulatorMode wanted) {
    return node.acts() ? wanted : node.lower(wanted);
  }

  private RegulatorSettings regulators(Mode mode, boolean cgroups, List<MechanismKeys> mechanisms) {
    RegulatorMode memory = keys.choice(REGULATOR + "memory.mode", RegulatorMode.class);
    RegulatorMode cpu = keys.choice(REGULATOR + "cpu.mode", RegulatorMode.class);
    RegulatorMode cores = keys.choice(REGULATOR + "cores.mode", RegulatorMode.class);
    RegulatorMode network = keys.choice(REGULATOR + "network.mode", RegulatorMode.class);
    String foregroundKey = REGULATOR + "foreground-cgroups";
    List<String> foreground = keys.cgroupPatterns(foregroundKey);
    if (!cgroups) {
      // In observe the status reports which signals are missing, so only enforce is a problem.
      Map<String, Boolean> needCgroups =
          Map.of(
              "cpu.mode", cpu == RegulatorMode.ENFORCE,
              "cores.mode", cores == RegulatorMode.ENFORCE,
              "network.mode", network == RegulatorMode.ENFORCE,
              "foreground-cgroups", !foreground.isEmpty());
      new TreeMap<>(needCgroups)
          .forEach(
              (key, used) -> {
                if (used) {
                  keys.problem(
                      REGULATOR
                          + key
                          + " needs "
                          + SettingsReader.PREFIX
                          + "cgroup.enabled to be true");
                }
              });
    }
    CpuSignal signal = keys.choice(REGULATOR + "cpu.signal", CpuSignal.class);
    CpuLimit cpuLimit = keys.choice(REGULATOR + "cpu.limit", CpuLimit.class);
    CoresSettings coresSettings = CoresKeys.read(keys);
    if (coresSettings.followLoad()) {
      checkWindow("cores", cores, coresSettings.window());
    }
    if (signal == CpuSignal.NONE && coresSettings.waterLine().isEmpty()) {
      keys.problem(REGULATOR + "cpu.signal is 'none', which needs " + CoresKeys.WATER_LINE);
    }
    return new RegulatorSettings(
        new RegulatorSettings.Memory(lower(mode, memory), range("memory", memory)),
        new RegulatorSettings.Cpu(lower(mode, cpu), signal, cpuQuota(cpu), cpuLimit),
        new RegulatorSettings.Cores(lower(mode, cores), coresSettings),
        new RegulatorSettings.Network(lower(mode, network), range("network", network), link()),
        MemoryLimitKeys.read(keys, mode, cgroups),
        mechanisms.stream().map(one -> one.read(keys, mode, cgroups)).toList(),
        foreground,
        keys.absolutePath(REGULATOR + "helper", "the absolute path of the program ua-killer"));
  }

  private Link link() {
    String deviceKey = REGULATOR + "network.device";
    String device = keys.value(deviceKey);
    boolean chosen = !device.equals(AUTO);
    if (!NetworkDevice.isName(device)) {
      keys.wrong(deviceKey, device, "auto, or the name of a network device such as eth0");
    }
    String linkKey = REGULATOR + "network.link-mbit";
    OptionalDouble bandwidth =
        keys.value(linkKey).equals(AUTO)
            ? OptionalDouble.empty()
            : OptionalDouble.of(keys.decimal(linkKey, 1, MAX_MEGABITS) * BYTES_PER_MEGABIT);
    return new Link(
        Optional.of(device).filter(name -> chosen),
        bandwidth,
        keys.choice(REGULATOR + "network.limit", NetworkLimit.class));
  }

  private RangeSettings range(String regulator, RegulatorMode mode) {
    Duration window = keys.millis(REGULATOR + regulator + ".window-ms", 1000, 86_400_000);
    checkWindow(regulator, mode, window);
    return new RangeSettings(window, keys.decimal(REGULATOR + regulator + ".std-factor", 0, 100));
  }

  /** Refuses a window with so few samples that the regulator would never learn from it. */
  private void checkWindow(String regulator, RegulatorMode mode, Duration window) {
    if (mode != RegulatorMode.OFF
        && window.compareTo(tick.multipliedBy(RangeSettings.MIN_SAMPLES)) < 0) {
      String key = REGULATOR + regulator + ".window-ms";
      keys.wrong(
          key,
          keys.value(key),
          "at least %d times %s (%d)"
              .formatted(RangeSettings.MIN_SAMPLES, SettingsReader.TICK, tick.toMillis()));
    }
  }

  private CpuQuotaSettings cpuQuota(RegulatorMode mode) {
    double minimum = keys.decimal(REGULATOR + "cpu.minimum-cores", MIN_CORES, MAX_CORES);
    double maximum = keys.decimal(REGULATOR + "cpu.maximum-cores", MIN_CORES, MAX_CORES);
    String startKey = REGULATOR + "cpu.start-cores";
    double start = keys.decimal(startKey, MIN_CORES, MAX_CORES);
    if (maximum < minimum || start < minimum || start > maximum) {
      keys.wrong(
          startKey,
          keys.value(startKey),
          "from %scpu.minimum-cores (%s) to %1$scpu.maximum-cores (%s)"
              .formatted(REGULATOR, minimum, maximum));
      maximum = Math.max(minimum, maximum);
      start = minimum;
    }
    return CpuQuotaSettings.ofThePaper(
        range("cpu", mode), CpuQuotaSettings.Worse.HIGHER, minimum, maximum, start);
  }
}
