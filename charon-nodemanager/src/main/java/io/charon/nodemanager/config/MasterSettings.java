/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.scheduler.BestEffortRule;
import io.charon.core.scheduler.QueueNames;
import java.util.Objects;
import java.util.Set;

/**
 * How ApplicationMasters of best-effort applications are treated.
 *
 * @param weightPercent their CPU weight as a share of a production container's, 1 to 99
 * @param rule which applications are best-effort
 */
public record MasterSettings(int weightPercent, BestEffortRule rule) {
  /** Checks that nothing is missing. */
  public MasterSettings {
    Objects.requireNonNull(rule, "rule");
  }

  /**
   * Whether an application is best-effort. A report of the ResourceManager may name a queue by its
   * leaf alone; YARN takes that only where one queue has that leaf, so it means the one whose full
   * path the configuration names.
   *
   * @param tags the application's, in any case
   * @param queue its full path or its leaf
   */
  public boolean isBestEffort(Set<String> tags, String queue) {
    boolean leafOnly = queue.indexOf('.') < 0;
    return rule.reason(tags, queue).isPresent()
        || (leafOnly && rule.queues().stream().map(QueueNames::leaf).anyMatch(queue::equals));
  }
}
