/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.law.RegulatorMode;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Settings for limiting best-effort's share of the cache and of the memory bandwidth by resctrl.
 *
 * @param group directory of best-effort's group
 * @param waysMode what the fixed share of the cache may do
 * @param ways the fixed share of the cache
 * @param bandwidthMode what the limit of the memory bandwidth may do
 * @param bandwidthPercent share of the bandwidth that best-effort may use, 1 to 100; empty: decided
 *     by the law
 * @param peakBytesPerSecond highest memory bandwidth of one socket; empty: learned
 */
public record ResctrlSettings(
    Path group,
    RegulatorMode waysMode,
    WaysAmount ways,
    RegulatorMode bandwidthMode,
    OptionalInt bandwidthPercent,
    OptionalDouble peakBytesPerSecond) {
  public static final String GROUP = "yarn.nodemanager.charon.regulator.resctrl-group";
  public static final String WAYS_MODE = "yarn.nodemanager.charon.cache-ways.mode";
  public static final String WAYS = "yarn.nodemanager.charon.cache-ways.amount";
  public static final String BANDWIDTH_MODE = "yarn.nodemanager.charon.memory-bandwidth.mode";
  public static final String BANDWIDTH = "yarn.nodemanager.charon.memory-bandwidth.limit";

  private static final String LAW = "law";
  private static final Pattern AMOUNT = Pattern.compile("([1-9]\\d{0,2})( ?%)?");
  private static final int MAX_WAYS = 62;
  private static final int WHOLE = 100;
  private static final int MAX_MEGABYTES = 10_000_000;
  private static final double MEGABYTE = 1e6;

  /** Reads the settings; without cgroups both modes are off. */
  public static ResctrlSettings read(Keys keys, Mode mode, boolean cgroups) {
    String ways = keys.value(WAYS_MODE);
    if (!ways.equals("off") && keys.value(RegulatorKeys.CPU_LIMIT).equals("cache-ways")) {
      keys.problem(
          "%s is '%s', which cannot be combined with %s=cache-ways: the ways are either fixed or set by the law; change one of the two keys"
              .formatted(WAYS_MODE, ways, RegulatorKeys.CPU_LIMIT));
    }
    int peak = keys.number("yarn.nodemanager.charon.memory-bandwidth.peak-mbps", 0, MAX_MEGABYTES);
    return new ResctrlSettings(
        keys.absolutePath(GROUP, "the absolute path of a resctrl group"),
        keys.mode(WAYS_MODE, mode, cgroups),
        ways(keys),
        keys.mode(BANDWIDTH_MODE, mode, cgroups),
        bandwidth(keys),
        peak == 0 ? OptionalDouble.empty() : OptionalDouble.of(peak * MEGABYTE));
  }

  private static WaysAmount ways(Keys keys) {
    String value = keys.value(WAYS);
    Matcher amount = AMOUNT.matcher(value);
    if (amount.matches()) {
      boolean percent = amount.group(2) != null;
      int number = Integer.parseInt(amount.group(1));
      if (number <= (percent ? WHOLE : MAX_WAYS)) {
        return new WaysAmount(number, percent);
      }
    }
    keys.wrong(
        WAYS,
        value,
        "a number of ways, 1 to 62, such as 2, or a percentage of all ways, such as 30%");
    return new WaysAmount(1, false);
  }

  private static OptionalInt bandwidth(Keys keys) {
    String value = keys.value(BANDWIDTH);
    if (value.equals(LAW)) {
      return OptionalInt.empty();
    }
    Matcher amount = AMOUNT.matcher(value);
    if (amount.matches() && amount.group(2) != null && Integer.parseInt(amount.group(1)) <= WHOLE) {
      return OptionalInt.of(Integer.parseInt(amount.group(1)));
    }
    keys.wrong(BANDWIDTH, value, "law, or a percentage of the bandwidth, such as 30%");
    return OptionalInt.empty();
  }
}
