/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.core.law.CpuWaterLine;
import io.charon.core.law.WaterLine;
import io.charon.core.law.eviction.MemoryLineRule;
import io.charon.core.law.eviction.PressureRule;
import io.charon.core.law.eviction.SatisfactionRule;
import io.charon.nodemanager.sensor.NodeSnapshotReader.HealthSignal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Determines whether foreground and background run and what limits the background.
 *
 * @param name name for users and in the JSON
 * @param kind kind of the mode
 * @param percent limit of a static mode or water line of a suppressing one, in percent of the
 *     node's resource, 1 to 100; otherwise 0
 */
public record ColocationMode(String name, Kind kind, int percent) {
  /** The foreground alone, measured twice; the difference of the two is noise. */
  static final ColocationMode ALONE = new ColocationMode("alone", Kind.ALONE, 0);

  static final ColocationMode ALONE_AGAIN = new ColocationMode("alone-again", Kind.ALONE, 0);

  /** The background without a foreground, as the reference for its work. */
  static final ColocationMode BACKGROUND_ALONE =
      new ColocationMode("best-effort-alone", Kind.BACKGROUND_ALONE, 0);

  static final ColocationMode NONE = new ColocationMode("none", Kind.NONE, 0);

  /** The agent as it ships, in {@code enforce} with the default of every other key. */
  static final ColocationMode DEFAULT = new ColocationMode("default", Kind.SHIPPED, 0);

  /** The kernel's idle class for best-effort, and nothing else of Charon. */
  static final ColocationMode IDLE = new ColocationMode("idle", Kind.SHIPPED, 0);

  private static final ColocationMode STARVED =
      new ColocationMode(SatisfactionRule.NAME, Kind.SHIPPED, 0);

  /** Turns off what the agent does by default beyond the kernel's idle class. */
  private static final Map<String, String> NOTHING_ELSE =
      Map.of(
          "memory-limit.mode", "off",
          "killer.kernel.enabled", "false",
          "killer.threshold-percent", "0",
          "killer.poll-ms", "10000");

  private static final Pattern SUPPRESS = Pattern.compile("suppress-(\\d{1,3})");
  private static final String CPU_BY_RUN_QUEUE = "cpu-run-queue";
  private static final String NETWORK_GIVE_WAY = "network-give-way";
  private static final String CPU_BY_INSTRUCTIONS = "cpu-instructions";
  private static final Pattern STATIC = Pattern.compile("static-(quota|rate|memory)-(\\d{1,3})");

  /** The kind of a mode. */
  enum Kind {
    /** No background. */
    ALONE,
    /** No foreground. */
    BACKGROUND_ALONE,
    /** Both; the background is limited only by its low weight. */
    NONE,
    /** Both; the background has a limit that never changes. */
    STATIC_QUOTA,
    STATIC_RATE,
    STATIC_MEMORY,
    /** Both; the background is regulated. */
    CPU,
    NETWORK,
    MEMORY,
    /** Both; best-effort containers are evicted when the node is short of memory. */
    EVICTION,
    /** Both; a {@link ShippedAgent} runs with the keys of the mode. */
    SHIPPED,
    ALL
  }

  /**
   * Parses a name.
   *
   * @return empty if there is no such mode
   */
  public static Optional<ColocationMode> of(String name) {
    Matcher fixed = STATIC.matcher(name);
    if (fixed.matches()) {
      int percent = Integer.parseInt(fixed.group(2));
      return percent >= 1 && percent <= 100
          ? Optional.of(
              new ColocationMode(
                  name, Kind.valueOf("STATIC_" + fixed.group(1).toUpperCase(Locale.ROOT)), percent))
          : Optional.empty();
    }
    Matcher suppress = SUPPRESS.matcher(name);
    if (suppress.matches()) {
      int percent = Integer.parseInt(suppress.group(1));
      return percent >= 1 && percent <= WaterLine.MAX_PERCENT
          ? Optional.of(new ColocationMode(name, Kind.SHIPPED, percent))
          : Optional.empty();
    }
    return switch (name) {
      case "alone" -> Optional.of(ALONE);
      case "none" -> Optional.of(NONE);
      case "cpu", CPU_BY_RUN_QUEUE, CPU_BY_INSTRUCTIONS ->
          Optional.of(new ColocationMode(name, Kind.CPU, 0));
      case "network", NETWORK_GIVE_WAY -> Optional.of(new ColocationMode(name, Kind.NETWORK, 0));
      case "memory" -> Optional.of(new ColocationMode(name, Kind.MEMORY, 0));
      case MemoryLineRule.NAME, PressureRule.NAME ->
          Optional.of(new ColocationMode(name, Kind.EVICTION, 0));
      case "default" -> Optional.of(DEFAULT);
      case "idle" -> Optional.of(IDLE);
      case SatisfactionRule.NAME -> Optional.of(STARVED);
      case "all" -> Optional.of(new ColocationMode(name, Kind.ALL, 0));
      default -> Optional.empty();
    };
  }

  /** Returns the modes with these names, which must exist. */
  static List<ColocationMode> named(String... names) {
    return Stream.of(names).map(name -> of(name).orElseThrow()).toList();
  }

  boolean hasForeground() {
    return kind != Kind.BACKGROUND_ALONE;
  }

  boolean hasBackground() {
    return kind != Kind.ALONE;
  }

  boolean isStatic() {
    return switch (kind) {
      case STATIC_QUOTA, STATIC_RATE, STATIC_MEMORY -> true;
      default -> false;
    };
  }

  /** Returns whether this mode is configured by {@link #keys}. */
  boolean isShipped() {
    return kind == Kind.SHIPPED;
  }

  /**
   * Returns whether this mode is one of those with which Charon's default is compared: one way to
   * protect the foreground, and nothing else of Charon.
   */
  boolean isPreset() {
    return isShipped() && !equals(DEFAULT);
  }

  /**
   * Returns the values of the keys by which an operator configures this mode, without their common
   * prefix; other keys have their defaults.
   */
  Map<String, String> keys() {
    if (!isPreset()) {
      return Map.of();
    }
    Map<String, String> keys = new TreeMap<>(NOTHING_ELSE);
    if (percent > 0) {
      keys.put("regulator.cpu.mode", "enforce");
      keys.put("regulator.cpu.signal", "none");
      keys.put("regulator.cpu.water-line-percent", Integer.toString(percent));
    } else if (equals(STARVED)) {
      keys.put(SatisfactionRule.NAME + ".mode", "enforce");
    }
    return keys;
  }

  /** Returns whether this mode turns on a mechanism, given by its name. */
  boolean turnsOn(String mechanism) {
    return isPreset()
        && (percent > 0
            ? mechanism.equals(CpuWaterLine.NAME)
            : equals(STARVED) && mechanism.equals(name));
  }

  /** Returns whether the mode observes a window before it limits the background. */
  boolean hasWindow() {
    return isRegulated() && !equals(DEFAULT) && !equals(IDLE);
  }

  /** Returns whether that window is the longest of all by default. */
  boolean hasLongestWindow() {
    return kind == Kind.ALL || equals(STARVED);
  }

  /** Returns whether a regulator of this kind is on. */
  boolean regulates(Kind regulator) {
    return kind == regulator || kind == Kind.ALL;
  }

  /**
   * Returns the signal by which the CPU regulator judges the foreground; the control law is the
   * same.
   */
  HealthSignal healthSignal() {
    return switch (name) {
      case CPU_BY_RUN_QUEUE -> HealthSignal.RUN_QUEUE;
      case CPU_BY_INSTRUCTIONS -> HealthSignal.INSTRUCTIONS;
      default -> HealthSignal.PRESSURE;
    };
  }

  /** Returns whether best-effort's packets yield to others instead of leaving them a reserve. */
  boolean yieldsTraffic() {
    return name.equals(NETWORK_GIVE_WAY);
  }

  boolean isRegulated() {
    return switch (kind) {
      case CPU, NETWORK, MEMORY, EVICTION, SHIPPED, ALL -> true;
      default -> false;
    };
  }
}
