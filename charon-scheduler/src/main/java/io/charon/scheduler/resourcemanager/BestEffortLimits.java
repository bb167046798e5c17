/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.core.scheduler.QueueNames;
import java.util.Map;
import java.util.TreeMap;

/**
 * Limits of outstanding best-effort containers, that is containers that are requested and not
 * allocated, or alive. Keys and defaults are in {@code charon-resourcemanager-site.xml}.
 *
 * @param perQueue containers of all applications of one queue
 * @param perNamedQueue limits of single queues, by full path or leaf name
 * @param perUser containers of all applications of one user
 * @param fairSharePerUser whether a user gets no more than an equal share while others wait
 * @param asksPerApplication containers that YARN's allocator is asked for at the same time
 * @param recordsPerApplication distinct requests that are kept for one application
 */
record BestEffortLimits(
    long perQueue,
    Map<String, Long> perNamedQueue,
    long perUser,
    boolean fairSharePerUser,
    long asksPerApplication,
    long recordsPerApplication) {

  static final String PER_QUEUE_KEY = "yarn.resourcemanager.charon.best-effort.limit-per-queue";
  static final String PER_USER_KEY = "yarn.resourcemanager.charon.best-effort.limit-per-user";
  static final String SHARE_KEY =
      "yarn.resourcemanager.charon.best-effort.fair-share-per-user.enabled";
  static final String ASKS_KEY = "yarn.resourcemanager.charon.best-effort.asks-per-application";
  static final String RECORDS_KEY =
      "yarn.resourcemanager.charon.best-effort.ask-records-per-application";

  BestEffortLimits {
    perNamedQueue = Map.copyOf(perNamedQueue);
  }

  static BestEffortLimits from(Settings settings) {
    return new BestEffortLimits(
        settings.limit(PER_QUEUE_KEY),
        settings.limitsBySuffix(PER_QUEUE_KEY),
        settings.limit(PER_USER_KEY),
        settings.flag(SHARE_KEY),
        settings.limit(ASKS_KEY),
        settings.limit(RECORDS_KEY));
  }

  /** Returns the limit of the queue with the given full path. */
  long ofQueue(String path) {
    return perNamedQueue.getOrDefault(
        path, perNamedQueue.getOrDefault(QueueNames.leaf(path), perQueue));
  }

  /** Returns the key from which {@link #ofQueue} takes its limit. */
  String keyOfQueue(String path) {
    if (perNamedQueue.containsKey(path)) {
      return PER_QUEUE_KEY + "." + path;
    }
    String leaf = QueueNames.leaf(path);
    return perNamedQueue.containsKey(leaf) ? PER_QUEUE_KEY + "." + leaf : PER_QUEUE_KEY;
  }

  /** Describes all limits for the log. */
  String description() {
    Map<String, String> named = new TreeMap<>();
    perNamedQueue.forEach((queue, limit) -> named.put(queue, text(limit)));
    return "per queue %s %s, per user %s, %s, asks per application %s in %s records"
        .formatted(
            text(perQueue),
            named,
            text(perUser),
            fairSharePerUser ? "users share fairly" : "first come, first served",
            text(asksPerApplication),
            text(recordsPerApplication));
  }

  private static String text(long limit) {
    return limit == Settings.UNLIMITED ? "unlimited" : Long.toString(limit);
  }
}
