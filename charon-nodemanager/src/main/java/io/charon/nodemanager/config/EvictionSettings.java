/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.kill.VictimOrder;
import io.charon.core.law.RegulatorMode;
import io.charon.core.law.eviction.MemoryLineRule;
import io.charon.core.law.eviction.SatisfactionRule;
import java.time.Duration;

/**
 * Settings for the eviction of best-effort containers.
 *
 * @param lineMode what eviction above a memory threshold may do
 * @param line the threshold, and the memory use down to which containers are evicted
 * @param pressureMode what eviction under memory pressure may do
 * @param somePercent share of the last 10 s in which some process waited for memory, from which
 *     containers are evicted, percent
 * @param usedPercent memory use from which pressure counts, percent of the node's memory
 * @param satisfactionMode what eviction by CPU satisfaction may do
 * @param satisfaction the thresholds and the window of CPU satisfaction
 * @param order order of eviction among containers of the same priority
 * @param memoryGrace time to exit before a container evicted for memory is killed
 * @param cpuGrace time to exit before a container evicted for CPU time is killed
 */
public record EvictionSettings(
    RegulatorMode lineMode,
    MemoryLineRule line,
    RegulatorMode pressureMode,
    double somePercent,
    int usedPercent,
    RegulatorMode satisfactionMode,
    SatisfactionRule.Settings satisfaction,
    VictimOrder order,
    Duration memoryGrace,
    Duration cpuGrace) {
  /** Common prefix of all keys; they may change at run time. */
  private static final String PREFIX = SettingsReader.PREFIX + "evict";

  private static final String LINE = PREFIX + "-line.";
  private static final String PRESSURE = PREFIX + "-psi.";
  private static final String SATISFACTION = PREFIX + "-satisfaction.";
  private static final String EVICTION = SettingsReader.PREFIX + "eviction.";

  /**
   * Returns the memory that launches must leave free, because containers started there would be
   * evicted above the threshold.
   *
   * @param capacityBytes the node's memory, bytes
   * @return bytes
   */
  public long keptFreeBytes(long capacityBytes) {
    return lineMode == RegulatorMode.ENFORCE
        ? capacityBytes / 100 * (100 - line.lowerPercent())
        : 0;
  }

  /**
   * Reads the settings. Without cgroups, eviction by CPU satisfaction is off, because best-effort
   * then has no limit of its CPU time by which satisfaction could be judged.
   */
  public static EvictionSettings read(Keys keys, Mode mode, boolean cgroups) {
    return new EvictionSettings(
        keys.mode(LINE + "mode", mode, true),
        line(keys),
        keys.mode(PRESSURE + "mode", mode, true),
        keys.decimal(PRESSURE + "some-percent", 0.1, 100),
        keys.number(PRESSURE + "used-percent", 0, 100),
        keys.mode(SATISFACTION + "mode", mode, cgroups),
        satisfaction(keys),
        keys.choice(EVICTION + "order", VictimOrder.class),
        keys.millis(EVICTION + "memory-grace-ms", 0, 600_000),
        keys.millis(EVICTION + "cpu-grace-ms", 0, 600_000));
  }

  private static MemoryLineRule line(Keys keys) {
    String lineKey = LINE + "line-percent";
    String lowerKey = LINE + "lower-percent";
    int line = keys.number(lineKey, 2, 100);
    int lower = keys.number(lowerKey, 1, 99);
    if (lower >= line) {
      keys.wrong(lowerKey, keys.value(lowerKey), "less than %s (%d)".formatted(lineKey, line));
      lower = line - 1;
    }
    return new MemoryLineRule(line, lower);
  }

  private static SatisfactionRule.Settings satisfaction(Keys keys) {
    String lowerKey = SATISFACTION + "lower-percent";
    String upperKey = SATISFACTION + "upper-percent";
    int lower = keys.number(lowerKey, 1, 100);
    int upper = keys.number(upperKey, 1, 100);
    if (upper < lower) {
      keys.wrong(upperKey, keys.value(upperKey), "at least %s (%d)".formatted(lowerKey, lower));
      upper = lower;
    }
    return new SatisfactionRule.Settings(
        lower,
        upper,
        keys.number(SATISFACTION + "use-percent", 1, 100),
        keys.millis(SATISFACTION + "window-ms", 1000, 86_400_000));
  }
}
