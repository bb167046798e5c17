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
 * @param line eviction above a memory threshold
 * @param pressure eviction under memory pressure
 * @param satisfaction eviction by CPU satisfaction
 * @param order order of eviction among containers of the same priority
 * @param grace time to exit before an evicted container is killed
 */
public record EvictionSettings(
    Line line, Pressure pressure, Satisfaction satisfaction, VictimOrder order, Grace grace) {
  public static final String LINE_MODE = "yarn.nodemanager.charon.evict-line.mode";
  public static final String PRESSURE_MODE = "yarn.nodemanager.charon.evict-psi.mode";
  public static final String SATISFACTION_MODE = "yarn.nodemanager.charon.evict-satisfaction.mode";
  public static final String SATISFACTION_WINDOW =
      "yarn.nodemanager.charon.evict-satisfaction.window-ms";

  /**
   * Eviction above a memory threshold.
   *
   * @param mode what it may do
   * @param rule the threshold, and the memory use down to which containers are evicted
   */
  public record Line(RegulatorMode mode, MemoryLineRule rule) {}

  /**
   * Eviction under memory pressure.
   *
   * @param mode what it may do
   * @param somePercent share of the last 10 s in which some process waited for memory, from which
   *     containers are evicted, percent
   * @param usedPercent memory use from which pressure counts, percent of the node's memory
   */
  public record Pressure(RegulatorMode mode, double somePercent, int usedPercent) {}

  /**
   * Eviction by CPU satisfaction.
   *
   * @param mode what it may do
   * @param rule the thresholds and the window
   */
  public record Satisfaction(RegulatorMode mode, SatisfactionRule.Settings rule) {}

  /**
   * Time to exit before an evicted container is killed.
   *
   * @param memory of a container evicted for memory
   * @param cpu of a container evicted for CPU time
   */
  public record Grace(Duration memory, Duration cpu) {}

  /**
   * Returns the memory that launches must leave free, because containers started there would be
   * evicted above the threshold.
   *
   * @param capacityBytes the node's memory, bytes
   * @return bytes
   */
  public long keptFreeBytes(long capacityBytes) {
    return line.mode() == RegulatorMode.ENFORCE ? line.rule().keptFreeBytes(capacityBytes) : 0;
  }

  /**
   * Reads the settings. Without cgroups, eviction by CPU satisfaction is off, because best-effort
   * then has no limit of its CPU time by which satisfaction could be judged.
   */
  public static EvictionSettings read(Keys keys, Mode mode, boolean cgroups) {
    return new EvictionSettings(
        new Line(keys.mode(LINE_MODE, mode, true), line(keys)),
        new Pressure(
            keys.mode(PRESSURE_MODE, mode, true),
            keys.decimal("yarn.nodemanager.charon.evict-psi.some-percent", 0.1, 100),
            keys.number("yarn.nodemanager.charon.evict-psi.used-percent", 0, 100)),
        new Satisfaction(keys.mode(SATISFACTION_MODE, mode, cgroups), satisfaction(keys)),
        keys.choice("yarn.nodemanager.charon.eviction.order", VictimOrder.class),
        new Grace(
            keys.millis("yarn.nodemanager.charon.eviction.memory-grace-ms", 0, 600_000),
            keys.millis("yarn.nodemanager.charon.eviction.cpu-grace-ms", 0, 600_000)));
  }

  private static MemoryLineRule line(Keys keys) {
    String lineKey = "yarn.nodemanager.charon.evict-line.line-percent";
    String lowerKey = "yarn.nodemanager.charon.evict-line.lower-percent";
    int line = keys.number(lineKey, 2, 100);
    int lower = keys.number(lowerKey, 1, 99);
    if (lower >= line) {
      keys.wrong(lowerKey, keys.value(lowerKey), "less than %s (%d)".formatted(lineKey, line));
      lower = line - 1;
    }
    return new MemoryLineRule(line, lower);
  }

  private static SatisfactionRule.Settings satisfaction(Keys keys) {
    String lowerKey = "yarn.nodemanager.charon.evict-satisfaction.lower-percent";
    String upperKey = "yarn.nodemanager.charon.evict-satisfaction.upper-percent";
    int lower = keys.number(lowerKey, 1, 100);
    int upper = keys.number(upperKey, 1, 100);
    if (upper < lower) {
      keys.wrong(upperKey, keys.value(upperKey), "at least %s (%d)".formatted(lowerKey, lower));
      upper = lower;
    }
    return new SatisfactionRule.Settings(
        lower,
        upper,
        keys.number("yarn.nodemanager.charon.evict-satisfaction.use-percent", 1, 100),
        keys.millis(SATISFACTION_WINDOW, 1000, 86_400_000));
  }
}
