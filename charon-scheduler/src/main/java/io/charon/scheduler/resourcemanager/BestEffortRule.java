/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which applications are best-effort: those that carry one of the tags or sit in one of the queues
 * that the configuration names. Keys and defaults are in {@code charon-resourcemanager-site.xml}.
 *
 * @param tags application tags in lower case
 * @param queues full queue paths ({@code root.batch.best-effort}), or leaf names without a dot
 */
record BestEffortRule(Set<String> tags, Set<String> queues) {

  static final String TAGS_KEY = Settings.KEY_PREFIX + "best-effort.tags";
  static final String QUEUES_KEY = Settings.KEY_PREFIX + "best-effort.queues";

  BestEffortRule {
    tags = tags.stream().map(tag -> tag.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    queues = Set.copyOf(queues);
  }

  static BestEffortRule from(Settings settings) {
    return new BestEffortRule(settings.names(TAGS_KEY), settings.names(QUEUES_KEY));
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
    return queues.stream().anyMatch(name -> QueueNames.matches(name, queuePath))
        ? Optional.of("queue " + queuePath)
        : Optional.empty();
  }
}
