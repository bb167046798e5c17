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
import io.charon.nodemanager.config.CoresKeys;
import io.charon.nodemanager.config.EvictionSettings;
import io.charon.nodemanager.config.KernelKillerSettings;
import io.charon.nodemanager.config.MemoryLimitKeys;
import io.charon.nodemanager.config.RegulatorKeys;
import io.charon.nodemanager.config.SettingsReader;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

  /** The agent as it ships, in {@code enforce} with the default of every other key. */
  static final ColocationMode DEFAULT = new ColocationMode("default", Kind.DEFAULT, 0);

  /** Every regulator that the node's resources allow. */
  static final ColocationMode ALL = new ColocationMode("all", Kind.REGULATOR, 0);

  /** The keys of modes by name; a suppressing mode has those of its percent instead. */
  private static final Map<String, Map<String, String>> KEYS =
      Map.of(
          ALL.name,
          Map.of(
              RegulatorKeys.CPU_MODE,
              "enforce",
              RegulatorKeys.CPU_SIGNAL,
              "pressure",
              RegulatorKeys.MEMORY_MODE,
              "enforce"),
          "cpu",
          Map.of(RegulatorKeys.CPU_MODE, "enforce", RegulatorKeys.CPU_SIGNAL, "pressure"),
          "cpu-run-queue",
          Map.of(RegulatorKeys.CPU_MODE, "enforce", RegulatorKeys.CPU_SIGNAL, "run-queue"),
          "cpu-instructions",
          Map.of(RegulatorKeys.CPU_MODE, "enforce", RegulatorKeys.CPU_SIGNAL, "instructions"),
          "memory",
          Map.of(RegulatorKeys.MEMORY_MODE, "enforce"),
          "network",
          Map.of(RegulatorKeys.NETWORK_MODE, "enforce", RegulatorKeys.NETWORK_LIMIT, "reserve"),
          "network-give-way",
          Map.of(RegulatorKeys.NETWORK_MODE, "enforce", RegulatorKeys.NETWORK_LIMIT, "give-way"),
          MemoryLineRule.NAME,
          Map.of(EvictionSettings.LINE_MODE, "enforce"),
          PressureRule.NAME,
          Map.of(EvictionSettings.PRESSURE_MODE, "enforce"),
          SatisfactionRule.NAME,
          Map.of(EvictionSettings.SATISFACTION_MODE, "enforce"));

  /** Turns off what the agent does by default beyond the kernel's idle class. */
  private static final Map<String, String> NOTHING_ELSE =
      Map.of(
          MemoryLimitKeys.MODE, "off",
          KernelKillerSettings.ENABLED, "false",
          SettingsReader.KILLER_THRESHOLD, "0",
          SettingsReader.KILLER_POLL, "10000");

  private static final Pattern SUPPRESS = Pattern.compile("suppress-(\\d{1,3})");
  private static final Pattern STATIC = Pattern.compile("static-(quota|rate|memory)-(\\d{1,3})");
  private static final Pattern ENFORCED =
      Pattern.compile(Pattern.quote(SettingsReader.PREFIX) + "(?:regulator\\.)?(.*)\\.mode");

  /** The kind of a mode. Wherever both run, the agent runs as it ships, with the mode's keys. */
  enum Kind {
    /** No background. */
    ALONE,
    /** No foreground. */
    BACKGROUND_ALONE,
    /** Both; the background is only in the kernel's idle class. */
    NONE,
    /** Both; the background has a limit that never changes. */
    STATIC_QUOTA,
    STATIC_RATE,
    STATIC_MEMORY,
    /** Both; the background is regulated. */
    REGULATOR,
    /** Both; best-effort containers are evicted when the node is short of memory. */
    EVICTION,
    /** Both; one way to protect the foreground, with which Charon's default is compared. */
    PRESET,
    DEFAULT
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
          ? Optional.of(new ColocationMode(name, Kind.PRESET, percent))
          : Optional.empty();
    }
    return switch (name) {
      case "alone" -> Optional.of(ALONE);
      case "none" -> Optional.of(new ColocationMode(name, Kind.NONE, 0));
      case "default" -> Optional.of(DEFAULT);
      case "idle", SatisfactionRule.NAME -> Optional.of(new ColocationMode(name, Kind.PRESET, 0));
      case MemoryLineRule.NAME, PressureRule.NAME ->
          Optional.of(new ColocationMode(name, Kind.EVICTION, 0));
      default ->
          KEYS.containsKey(name)
              ? Optional.of(new ColocationMode(name, Kind.REGULATOR, 0))
              : Optional.empty();
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

  /** Returns whether this mode is a regulator of a resource, or of all. */
  boolean regulates(String resource) {
    return kind == Kind.REGULATOR
        && (equals(ALL) || name.equals(resource) || name.startsWith(resource + "-"));
  }

  /**
   * Returns the values of the keys by which an operator configures this mode; other keys have their
   * defaults.
   */
  Map<String, String> keys() {
    if (kind == Kind.DEFAULT) {
      return Map.of();
    }
    Map<String, String> keys = new TreeMap<>(NOTHING_ELSE);
    keys.putAll(KEYS.getOrDefault(name, Map.of()));
    if (isSuppressing()) {
      keys.put(RegulatorKeys.CPU_MODE, "enforce");
      keys.put(RegulatorKeys.CPU_SIGNAL, "none");
      keys.put(CoresKeys.WATER_LINE, Integer.toString(percent));
    }
    return keys;
  }

  /** Returns the names of the mechanisms that this mode turns on and that must therefore work. */
  Set<String> mechanisms() {
    return isSuppressing()
        ? Set.of(CpuWaterLine.NAME)
        : KEYS.getOrDefault(name, Map.of()).keySet().stream()
            .map(ENFORCED::matcher)
            .filter(Matcher::matches)
            .map(key -> key.group(1))
            .collect(Collectors.toUnmodifiableSet());
  }

  private boolean isSuppressing() {
    return kind == Kind.PRESET && percent > 0;
  }

  /** Returns whether the mode observes a window before it limits the background. */
  boolean hasWindow() {
    return !mechanisms().isEmpty();
  }

  /** Returns whether that window is the longest of all by default. */
  boolean hasLongestWindow() {
    return equals(ALL) || name.equals(SatisfactionRule.NAME);
  }
}
