/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.core.scheduler.BestEffortRule;
import java.util.Set;

/** Reads the keys that determine which applications are best-effort. */
final class BestEffortKeys {
  static final String ENABLED_KEY = "yarn.resourcemanager.charon.best-effort.enabled";
  static final String TAGS_KEY = "yarn.resourcemanager.charon.best-effort.tags";
  static final String QUEUES_KEY = "yarn.resourcemanager.charon.best-effort.queues";

  private static final BestEffortRule NO_RULE = new BestEffortRule(Set.of(), Set.of());

  private BestEffortKeys() {}

  /**
   * Returns the rule that selects best-effort applications; it selects none until the operator
   * enables it because the nodes are ready.
   */
  static BestEffortRule rule(Settings settings) {
    return settings.flag(ENABLED_KEY) ? configuredRule(settings) : NO_RULE;
  }

  /** Returns the rule that would apply if it were enabled. */
  static BestEffortRule configuredRule(Settings settings) {
    return new BestEffortRule(settings.names(TAGS_KEY), settings.names(QUEUES_KEY));
  }
}
