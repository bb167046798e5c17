/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Determines which applications are best-effort: those that have one of the configured tags or are
 * in one of the configured queues. The ResourceManager and the nodes use the same rule.
 *
 * @param tags application tags in lower case
 * @param queues full queue paths ({@code root.batch.best-effort}), or leaf names without a dot
 */
public record BestEffortRule(Set<String> tags, Set<String> queues) {
  /** Copies the sets and converts the tags to lower case. */
  public BestEffortRule {
    tags =
        tags.stream()
            .map(tag -> tag.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
    queues = Set.copyOf(queues);
  }

  /**
   * Returns why an application is best-effort, as readable text; empty if it is not.
   *
   * @param applicationTags the application's tags, in any case
   * @param queuePath the application's queue, as a full path if the scheduler knows it
   */
  public Optional<String> reason(Collection<String> applicationTags, String queuePath) {
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
