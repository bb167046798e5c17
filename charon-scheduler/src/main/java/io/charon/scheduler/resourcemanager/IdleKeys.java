/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Finds keys that are valid and yet have no effect. */
final class IdleKeys {
  private static final String ENABLED_SUFFIX = ".enabled";

  private final SchedulerView view;

  IdleKeys(SchedulerView view) {
    this.view = view;
  }

  /** Returns one sentence for each such key. */
  List<String> of(Settings settings) {
    List<String> idle = new ArrayList<>();
    settings
        .unknownKeys(BestEffortProcessor.KEYS, Set.of(BestEffortLimits.PER_QUEUE_KEY))
        .forEach(
            (key, source) ->
                idle.add(
                    "Unknown key %s in %s: it has no effect. %s"
                        .formatted(key, source, instead(key))));
    addUnknownQueues(
        settings, BestEffortKeys.QUEUES_KEY, BestEffortKeys.rule(settings).queues(), idle);
    for (String queue : BestEffortLimits.from(settings).perNamedQueue().keySet()) {
      addUnknownQueues(settings, BestEffortLimits.PER_QUEUE_KEY + "." + queue, Set.of(queue), idle);
    }
    return idle;
  }

  /** A switch may have lacked the suffix in an earlier version. */
  private static String instead(String key) {
    String renamed = key + ENABLED_SUFFIX;
    return BestEffortProcessor.KEYS.contains(renamed)
        ? "Cure: it is called " + renamed + " now."
        : "Charon's keys on the ResourceManager are " + BestEffortProcessor.KEYS + ".";
  }

  private void addUnknownQueues(
      Settings settings, String key, Set<String> queues, List<String> idle) {
    List<String> unknown = view.unknownQueues(queues);
    if (!unknown.isEmpty()) {
      idle.add(
          ("%s in %s names queues that the scheduler does not have: %s. The key has no effect "
                  + "until these queues exist. Cure: write a full path, such as root.batch, or a "
                  + "leaf's name, as in capacity-scheduler.xml.")
              .formatted(key, settings.source(key), unknown));
    }
  }
}
