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
 * Charon's keys in the ResourceManager's configuration. A key that is not set or has an invalid
 * value has the default of {@code charon-resourcemanager-site.xml}; for an invalid value, {@link
 * #complaints()} names the cure.
 */
final class Settings {

  static final long UNLIMITED = Long.MAX_VALUE;

  private static final String KEY_PREFIX = "yarn.resourcemanager.charon.";
  private static final String DEFAULTS_FILE = "charon-resourcemanager-site.xml";
  private static final String NONE = "none";
  private static final String UNLIMITED_WORD = "unlimited";

  private final Configuration configuration;
  private final Configuration defaults;
  private final List<Complaint> complaints = new ArrayList<>();

  /** The problem of a key, and the value that applies instead. */
  private record Complaint(String wrong, String fallback) {}

  Settings(Configuration configuration) {
    this.configuration = configuration;
    URL file = Settings.class.getResource(DEFAULTS_FILE);
    if (file == null) {
      throw new IllegalStateException(
          DEFAULTS_FILE
              + " is missing from the jar of charon-scheduler: rebuild or reinstall the jar");
    }
    defaults = new Configuration(false);
    defaults.addResource(file);
  }

  /** Returns the problems of the values read so far, one sentence for each key. */
  List<String> complaints() {
    return complaints.stream()
        .map(
            one ->
                one.wrong()
                    + ": the "
                    + one.fallback()
                    + " applies. Cure: correct the value there and restart the ResourceManager.")
        .toList();
  }

  /** Returns the same problems for a configuration that is not applied. */
  List<String> refusals() {
    return complaints.stream().map(one -> one.wrong() + ". Cure: correct the value there").toList();
  }

  /** Returns a key's value in the configuration, or its default; "not set" if it has none. */
  String text(String key) {
    return configuration.getTrimmed(key, defaults.getTrimmed(key, "not set"));
  }

  /** Returns the configured keys that consist of {@code key}, a dot and a name. */
  Set<String> keysBelow(String key) {
    return configuration.getPropsWithPrefix(key + ".").keySet().stream()
        .map(name -> key + "." + name)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns names separated by commas. */
  Set<String> names(String key) {
    Configuration source = configuration.getRaw(key) == null ? defaults : configuration;
    return Arrays.stream(source.getTrimmedStrings(key))
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the absolute path of a properties file; empty for "none" or an invalid value. */
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

  /** Returns true or false. */
  boolean flag(String key) {
    String fallback = defaults.getTrimmed(key);
    String value = configuration.getTrimmed(key, fallback);
    if (!value.equals("true") && !value.equals("false")) {
      complain(key, value, "true or false", fallback);
      value = fallback;
    }
    return value.equals("true");
  }

  /** Returns whether a key is configured. */
  boolean isSet(String key) {
    return configuration.getRaw(key) != null;
  }

  /** Returns a whole number of at least 0; {@link #UNLIMITED} for the word "unlimited". */
  long limit(String key) {
    String fallback = defaults.getTrimmed(key);
    return limit(key, configuration.getTrimmed(key, fallback), parse(fallback), fallback);
  }

  /** Returns a whole number from 0 to {@code largest}. */
  long number(String key, long largest) {
    return number(key, 0, largest);
  }

  /** Returns a whole number from {@code least} to {@code largest}. */
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
   * Returns limits by the suffix of {@code key}, as in {@code key.root.batch}. An invalid one is
   * left out, so the limit of {@code key} itself applies.
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
   * Returns the keys that look like Charon's and are not, most likely misspelled, each with the
   * file from which it was read.
   *
   * @param known all existing keys
   * @param withSuffix those of them that may be followed by a dot and a name
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

  /** Returns the file from which {@code key} was read. */
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

  /** Returns -1 for text that is neither a number nor "unlimited". */
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
