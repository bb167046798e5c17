/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.law.RegulatorMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.apache.hadoop.conf.Configuration;

/**
 * Charon's keys in the NodeManager's configuration, with the defaults of {@code charon-site.xml}.
 * An invalid value is recorded as a problem and replaced by a usable one, so that one pass finds
 * all problems.
 */
public final class Keys {
  private static final String DEFAULTS = "charon-site.xml";
  private static final String NONE = "none";
  private static final String LIVE = "live";

  /** Hadoop's name for the source of a key that no file sets. */
  private static final String SET_BY_A_PROGRAM = "programmatically";

  /** Segments without "..", and without characters that could make an invalid glob. */
  private static final Pattern CGROUP_PATTERN =
      Pattern.compile("(/(?!\\.{1,2}(/|$))[^/\\\\\\[\\]{}\\p{Cntrl}]+)+");

  private final Configuration configuration;
  private final Configuration defaults = new Configuration(false);
  private final List<String> problems = new ArrayList<>();
  private final List<String> formerNames = new ArrayList<>();

  Keys(Configuration configuration) {
    this.configuration = configuration;
    this.defaults.addResource(Keys.class.getResource(DEFAULTS));
  }

  /** Returns the NodeManager's configuration, for keys that are not Charon's. */
  Configuration yarn() {
    return configuration;
  }

  /** Returns the problems found so far except former names, one sentence each. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  /** Returns the former names found so far, one sentence each. */
  List<String> formerNames() {
    return List.copyOf(formerNames);
  }

  /** Records a problem that does not concern the value of one key alone. */
  void problem(String text) {
    problems.add(text);
  }

  /** Records an invalid value. */
  void wrong(String key, String value, String allowed) {
    problems.add(key + " is '" + value + "'; it must be " + allowed);
  }

  /**
   * Records a key whose name or value is a former one.
   *
   * @param key the key as it is written
   * @param cure the new name, and what to do
   */
  void formerName(String key, String cure) {
    String file = file(key).map(" in %s"::formatted).orElse("");
    formerNames.add("%s (value '%s'%s) %s".formatted(key, configuration.get(key), file, cure));
  }

  /** Returns the file that sets a key; empty if Hadoop does not know it. */
  private Optional<String> file(String key) {
    String[] sources = configuration.getPropertySources(key);
    return sources == null
        ? Optional.empty()
        : Arrays.stream(sources)
            .reduce((container, contained) -> contained)
            .filter(source -> !source.equals(SET_BY_A_PROGRAM));
  }

  /** Returns the values of all keys of Charon, including defaults. */
  Map<String, String> values() {
    Map<String, String> values = new TreeMap<>();
    for (String key : known()) {
      values.put(key, value(key));
    }
    return values;
  }

  /**
   * Returns the keys that may change while the NodeManager runs, which the defaults mark with a
   * tag.
   */
  Set<String> live() {
    var unused = known(); // Hadoop parses tags only when it first reads values
    return defaults.getAllPropertiesByTag(LIVE).stringPropertyNames();
  }

  String value(String key) {
    String fallback = defaults.get(key, "");
    return configuration.getTrimmed(key, fallback).trim();
  }

  boolean flag(String key) {
    String value = value(key);
    if (!value.equals("true") && !value.equals("false")) {
      wrong(key, value, "true or false");
    }
    return value.equals("true");
  }

  Duration millis(String key, int minimum, int maximum) {
    return Duration.ofMillis(number(key, minimum, maximum));
  }

  int number(String key, int minimum, int maximum) {
    return Math.toIntExact(wholeNumber(key, minimum, maximum));
  }

  long wholeNumber(String key, long minimum, long maximum) {
    String value = value(key);
    String allowed = "a whole number from " + minimum + " to " + maximum;
    try {
      long number = Long.parseLong(value);
      if (number >= minimum && number <= maximum) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Falls through to the problem that names the allowed range.
    }
    wrong(key, value, allowed);
    return minimum;
  }

  double decimal(String key, double minimum, double maximum) {
    String value = value(key);
    try {
      double number = Double.parseDouble(value);
      if (number >= minimum && number <= maximum) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Falls through to the problem that names the allowed range.
    }
    wrong(key, value, "a number from " + minimum + " to " + maximum);
    return minimum;
  }

  <E extends Enum<E>> E choice(String key, Class<E> type) {
    String value = value(key);
    E[] choices = type.getEnumConstants();
    for (E choice : choices) {
      if (name(choice).equals(value)) {
        return choice;
      }
    }
    String allowed = Arrays.stream(choices).map(Keys::name).collect(Collectors.joining(", "));
    wrong(key, value, "one of " + allowed);
    return choices[0];
  }

  /**
   * Reads the mode of a mechanism, which never exceeds that of the node.
   *
   * @param possible whether the mechanism can work at all; if not, it is off
   */
  RegulatorMode mode(String key, Mode node, boolean possible) {
    RegulatorMode wanted = choice(key, RegulatorMode.class);
    return possible ? node.lower(wanted) : RegulatorMode.OFF;
  }

  static String name(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Reads an absolute path below the root; returns empty for "none". */
  Optional<Path> optionalPath(String key, String what) {
    String value = value(key);
    if (value.equals(NONE)) {
      return Optional.empty();
    }
    Optional<Path> path =
        Optional.of(value)
            .filter(text -> text.startsWith("/") && text.indexOf(0) < 0)
            .map(Path::of)
            .filter(absolute -> absolute.getNameCount() > 0);
    if (path.isEmpty()) {
      wrong(key, value, "none, or the absolute path of a " + what);
    }
    return path;
  }

  Path absolutePath(String key, String allowed) {
    String value = value(key);
    if (!value.startsWith("/") || value.indexOf(0) >= 0) {
      wrong(key, value, allowed);
      return Path.of("/");
    }
    return Path.of(value);
  }

  List<String> cgroupPatterns(String key) {
    String value = value(key);
    if (value.equals(NONE)) {
      return List.of();
    }
    List<String> patterns = Arrays.asList(value.split("\\s*,\\s*", -1));
    for (String pattern : patterns) {
      if (!isCgroupPattern(pattern)) {
        wrong(key, value, "none, or a list of cgroups such as /system.slice/postgresql*.service");
        return List.of();
      }
    }
    return patterns;
  }

  void findUnknownKeys() {
    List<String> known = known();
    for (Map.Entry<String, String> entry :
        configuration.getPropsWithPrefix(SettingsReader.PREFIX).entrySet()) {
      String key = SettingsReader.PREFIX + entry.getKey();
      if (!known.contains(key)) {
        RenamedKeys.newName(key)
            .ifPresentOrElse(
                name -> formerName(key, "is now named %s: set that key instead".formatted(name)),
                () ->
                    problem(
                        "%s (value '%s') is not a key of Charon; did you mean %s?"
                            .formatted(key, entry.getValue(), nearest(key, known))));
      }
    }
  }

  private static String nearest(String key, List<String> known) {
    LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
    return known.stream()
        .min(Comparator.comparingInt(candidate -> distance.apply(key, candidate)))
        .orElseThrow();
  }

  /** Returns whether the text names cgroups below the root; wildcards are allowed. */
  static boolean isCgroupPattern(String text) {
    return CGROUP_PATTERN.matcher(text).matches();
  }

  private List<String> known() {
    return defaults.getPropsWithPrefix(SettingsReader.PREFIX).keySet().stream()
        .map(SettingsReader.PREFIX::concat)
        .toList();
  }
}
