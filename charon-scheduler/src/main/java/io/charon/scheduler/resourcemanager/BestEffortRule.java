/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.net.URL;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * Which applications are best-effort: those that carry one of the tags or sit in one of the queues
 * that the configuration names. Keys and defaults are in {@code charon-resourcemanager-site.xml}.
 *
 * @param tags application tags in lower case
 * @param queues full queue paths ({@code root.batch.best-effort}), or leaf names without a dot
 */
record BestEffortRule(Set<String> tags, Set<String> queues) {

  static final String KEY_PREFIX = "yarn.resourcemanager.charon.";
  static final String TAGS_KEY = KEY_PREFIX + "best-effort.tags";
  static final String QUEUES_KEY = KEY_PREFIX + "best-effort.queues";

  private static final Set<String> KEYS = Set.of(TAGS_KEY, QUEUES_KEY);
  private static final String DEFAULTS_FILE = "charon-resourcemanager-site.xml";

  BestEffortRule {
    tags = tags.stream().map(tag -> tag.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    queues = Set.copyOf(queues);
  }

  /** Reads the rule from {@code configuration}; a key that is not set there has its default. */
  static BestEffortRule from(Configuration configuration) {
    Configuration defaults = defaults();
    return new BestEffortRule(
        names(configuration, defaults, TAGS_KEY), names(configuration, defaults, QUEUES_KEY));
  }

  /**
   * Returns the keys of {@code configuration} that look like Charon's and are not, each with the
   * file it was read from: most likely misspelt.
   */
  static Map<String, String> unknownKeys(Configuration configuration) {
    Map<String, String> unknown = new TreeMap<>();
    for (String suffix : configuration.getPropsWithPrefix(KEY_PREFIX).keySet()) {
      String key = KEY_PREFIX + suffix;
      if (!KEYS.contains(key)) {
        String[] sources = configuration.getPropertySources(key);
        unknown.put(key, sources == null ? "unknown source" : String.join(", ", sources));
      }
    }
    return unknown;
  }

  /**
   * Says why an application is best-effort, for people to read; empty if it is not.
   *
   * @param applicationTags the application's tags, in any case
   * @param queuePath the application's queue, its full path where the scheduler knows it
   */
  Optional<String> reason(Collection<String> applicationTags, String queuePath) {
    Optional<String> tag =
        applicationTags.stream()
            .filter(candidate -> tags.contains(candidate.toLowerCase(Locale.ROOT)))
            .sorted()
            .findFirst();
    if (tag.isPresent()) {
      return Optional.of("tag " + tag.get());
    }
    String leaf = queuePath.substring(queuePath.lastIndexOf('.') + 1);
    return queues.contains(queuePath) || queues.contains(leaf)
        ? Optional.of("queue " + queuePath)
        : Optional.empty();
  }

  private static Set<String> names(
      Configuration configuration, Configuration defaults, String key) {
    Configuration source = configuration.getRaw(key) == null ? defaults : configuration;
    return Arrays.stream(source.getTrimmedStrings(key))
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toSet());
  }

  private static Configuration defaults() {
    URL file = BestEffortRule.class.getResource(DEFAULTS_FILE);
    if (file == null) {
      throw new IllegalStateException(
          DEFAULTS_FILE + " is missing from the jar of charon-scheduler: build or install it anew");
    }
    Configuration defaults = new Configuration(false);
    defaults.addResource(file);
    return defaults;
  }
}
