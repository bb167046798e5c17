/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * Charon's keys as the ResourceManager's configuration has them. A key that is not set there has
 * the default of {@code charon-resourcemanager-site.xml}; so has one whose value cannot be used,
 * and {@link #complaints()} then says what to do about it.
 */
final class Settings {

  static final String KEY_PREFIX = "yarn.resourcemanager.charon.";
  static final long UNLIMITED = Long.MAX_VALUE;

  private static final String DEFAULTS_FILE = "charon-resourcemanager-site.xml";
  private static final String NONE = "none";
  private static final String UNLIMITED_WORD = "unlimited";

  private final Configuration configuration;
  private final Configuration defaults;
  private final List<Complaint> complaints = new ArrayList<>();

  /** What is wrong with a key, and what then applies. */
  private record Complaint(String wrong, String fallback) {}

  Settings(Configuration configuration) {
    this.configuration = configuration;
    URL file = Settings.class.getResource(DEFAULTS_FILE);
    if (file == null) {
      throw new IllegalStateException(
          DEFAULTS_FILE + " is missing from the jar of charon-scheduler: build or install it anew");
    }
    defaults = new Configuration(false);
    defaults.addResource(file);
  }

  /** What was wrong with the values read so far, one sentence for each key, for people to read. */
  List<String> complaints() {
    return complaints.stream()
        .map(
            one ->
                one.wrong()
                    + ": the "
                    + one.fallback()
                    + " applies. Cure: correct it there and restart the ResourceManager.")
        .toList();
  }

  /** The same where nothing applies that was read. */
  List<String> refusals() {
    return complaints.stream().map(one -> one.wrong() + ". Cure: correct it there").toList();
  }

  /** A key's value as it stands in the configuration, or its default; "not set" if it has none. */
  String text(String key) {
    return configuration.getTrimmed(key, defaults.getTrimmed(key, "not set"));
  }

  /** The keys that are set and are {@code key} with a dot and a name after it. */
  Set<String> keysBelow(String key) {
    return configuration.getPropsWithPrefix(key + ".").keySet().stream()
        .map(name -> key + "." + name)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Names separated by commas. */
  Set<String> names(String key) {
    Configuration source = configuration.getRaw(key) == null ? defaults : configuration;
    return Arrays.stream(source.getTrimmedStrings(key))
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** None, or the absolute path of a properties file. */
  Optional<Path> file(String key) {
    String fallback = defaults.getTrimmed(key);
    String value = configuration.getTrimmed(key, fallback);
    if (value.equals(NONE)) {
      return Optional.empty();
    }
    if (!value.startsWith("/") || value.indexOf(0) >= 0 || !value.endsWith(".properties")) {
      complain(
          key,
          value,
          "none, or the absolute path of a file whose name ends in .properties",
          fallback);
      return Optional.empty();
    }
    return Optional.of(Path.of(value));
  }

  /** True or false. */
  boolean flag(String key) {
    String fallback = defaults.getTrimmed(key);
    String value = configuration.getTrimmed(key, fallback);
    if (!value.equals("true") && !value.equals("false")) {
      complain(key, value, "true or false", fallback);
      value = fallback;
    }
    return value.equals("true");
  }

  /** Whether somebody configured it. */
  boolean isSet(String key) {
    return configuration.getRaw(key) != null;
  }

  /** A whole number from 0 on; {@link #UNLIMITED} for the word "unlimited". */
  long limit(String key) {
    String fallback = defaults.getTrimmed(key);
    return limit(key, configuration.getTrimmed(key, fallback), parse(fallback), fallback);
  }

  /** A whole number from 0 to {@code largest}. */
  long number(String key, long largest) {
    return number(key, 0, largest);
  }

  /** A whole number from {@code least} to {@code largest}. */
  long number(String key, long least, long largest) {
    String fallback = defaults.getTrimmed(key);
    String value = configuration.getTrimmed(key, fallback);
    long number = parse(value);
    if (number < least || number > largest) {
      complain(key, value, "a whole number from " + least + " to " + largest, fallback);
      return parse(fallback);
    }
    return number;
  }

  /**
   * Limits for what a suffix of {@code key} names, as in {@code key.root.batch}; one that cannot be
   * used is left out, so that the limit of {@code key} itself holds.
   */
  Map<String, Long> limitsBySuffix(String key) {
    Map<String, Long> limits = new TreeMap<>();
    for (String name : configuration.getPropsWithPrefix(key + ".").keySet()) {
      long unusable = -1;
      String full = key + "." + name;
      long limit = limit(full, configuration.getTrimmed(full), unusable, "value of " + key);
      if (limit != unusable) {
        limits.put(name, limit);
      }
    }
    return limits;
  }

  /**
   * Returns the keys that look like Charon's and are not, each with the file it was read from: most
   * likely misspelt.
   *
   * @param known all keys that there are
   * @param withSuffix those of them after which a dot and a name may follow
   */
  Map<String, String> unknownKeys(Set<String> known, Set<String> withSuffix) {
    Map<String, String> unknown = new TreeMap<>();
    for (String rest : configuration.getPropsWithPrefix(KEY_PREFIX).keySet()) {
      String key = KEY_PREFIX + rest;
      if (!known.contains(key)
          && withSuffix.stream().noneMatch(prefix -> key.startsWith(prefix + "."))) {
        unknown.put(key, source(key));
      }
    }
    return unknown;
  }

  /** The file that {@code key} was read from. */
  String source(String key) {
    String[] sources = configuration.getPropertySources(key);
    return sources == null ? "unknown source" : String.join(", ", sources);
  }

  private long limit(String key, String value, long fallback, String fallbackText) {
    long limit = parse(value);
    if (limit < 0) {
      complain(key, value, "a whole number from 0 on, or " + UNLIMITED_WORD, fallbackText);
      return fallback;
    }
    return limit;
  }

  /** Returns -1 for what is neither a number nor "unlimited". */
  private static long parse(String value) {
    if (UNLIMITED_WORD.equalsIgnoreCase(value)) {
      return UNLIMITED;
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException notANumber) {
      return -1;
    }
  }

  private void complain(String key, String value, String allowed, String fallback) {
    complaints.add(
        new Complaint(
            "%s in %s is '%s', which is not %s".formatted(key, source(key), value, allowed),
            fallback.startsWith("value of ") ? fallback : "default " + fallback));
  }
}
