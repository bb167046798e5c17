/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.core.scheduler.BestEffortRule;

/** Reads which applications are best-effort. */
final class BestEffortKeys {
  static final String TAGS_KEY = Settings.KEY_PREFIX + "best-effort.tags";
  static final String QUEUES_KEY = Settings.KEY_PREFIX + "best-effort.queues";

  private BestEffortKeys() {}

  static BestEffortRule rule(Settings settings) {
    return new BestEffortRule(settings.names(TAGS_KEY), settings.names(QUEUES_KEY));
  }
}
