/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.Set;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * The priorities at which MapReduce requests containers for maps, as in its {@code
 * RMContainerAllocator}.
 *
 * <p>A map that failed before is requested at a priority of its own, the most important one. A
 * container of that priority goes to such a map. A container of another priority goes to the map
 * that has waited longest, and MapReduce then decrements the count of <em>that map's</em> priority,
 * while YARN has decremented the count of the container's. From then on YARN is asked for one
 * container too few, and the job stalls near its end. With GUARANTEED containers this is rare,
 * because YARN serves more important priorities first; its allocator of OPPORTUNISTIC containers
 * serves them in the opposite order. Therefore first attempts wait here while any retry waits.
 *
 * <p>The wait needs no time limit. All maps of a job have the same size, so if no node has room for
 * a map at one priority, none has room at the other, and the job cannot end without its retries.
 * Priorities of reduces, and of applications of other types, are not changed: their containers are
 * not exchanged in this way, and reduces that are served before maps would wait for them.
 */
final class MapReduceMaps {
  /** {@code MRJobConfig.MR_APPLICATION_TYPE}. */
  private static final String APPLICATION_TYPE = "MAPREDUCE";

  /** {@code RMContainerAllocator.PRIORITY_FAST_FAIL_MAP}. */
  private static final int RETRY = 5;

  /** {@code PRIORITY_OPPORTUNISTIC_MAP} and {@code PRIORITY_MAP} in the same class. */
  private static final Set<Integer> FIRST_ATTEMPTS = Set.of(19, 20);

  private MapReduceMaps() {}

  static boolean areOf(RMApp application) {
    return APPLICATION_TYPE.equals(application.getApplicationType());
  }

  static boolean isRetry(SchedulerRequestKey key) {
    return key.getPriority().getPriority() == RETRY;
  }

  static boolean isFirstAttempt(SchedulerRequestKey key) {
    return FIRST_ATTEMPTS.contains(key.getPriority().getPriority());
  }
}
