/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.core.law.eviction.MemoryLineRule;
import io.charon.core.law.eviction.PressureRule;
import io.charon.nodemanager.sensor.NodeSnapshotReader.HealthSignal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Determines whether foreground and background run and what limits the background.
 *
 * @param name name for users and in the JSON
 * @param kind kind of the mode
 * @param percent limit of a static mode in percent of the node's resource, 1 to 100; otherwise 0
 */
public record ColocationMode(String name, Kind kind, int percent) {
  /** The foreground alone, measured twice; the difference of the two is noise. */
  static final ColocationMode ALONE = new ColocationMode("alone", Kind.ALONE, 0);

  static final ColocationMode ALONE_AGAIN = new ColocationMode("alone-again", Kind.ALONE, 0);

  /** The background without a foreground, as the reference for its work. */
  static final ColocationMode BACKGROUND_ALONE =
      new ColocationMode("best-effort-alone", Kind.BACKGROUND_ALONE, 0);

  static final ColocationMode NONE = new ColocationMode("none", Kind.NONE, 0);

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
    return switch (name) {
      case "alone" -> Optional.of(ALONE);
      case "none" -> Optional.of(NONE);
      case "cpu", CPU_BY_RUN_QUEUE, CPU_BY_INSTRUCTIONS ->
          Optional.of(new ColocationMode(name, Kind.CPU, 0));
      case "network", NETWORK_GIVE_WAY -> Optional.of(new ColocationMode(name, Kind.NETWORK, 0));
      case "memory" -> Optional.of(new ColocationMode(name, Kind.MEMORY, 0));
      case MemoryLineRule.NAME, PressureRule.NAME ->
          Optional.of(new ColocationMode(name, Kind.EVICTION, 0));
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
      case CPU, NETWORK, MEMORY, EVICTION, ALL -> true;
      default -> false;
    };
  }
}
