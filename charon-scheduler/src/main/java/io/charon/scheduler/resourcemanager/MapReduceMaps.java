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
 * The priorities at which MapReduce asks for containers of maps, as its {@code
 * RMContainerAllocator} has them.
 *
 * <p>A map that failed before is asked for at a priority of its own, the most important one. A
 * container of that priority goes to such a map; one of another priority goes to whichever map has
 * waited longest, and MapReduce then counts down <em>that map's</em> priority, while YARN has
 * counted down the container's. From then on YARN is asked for one container too few, and the job
 * stands still at its end. With GUARANTEED containers it hardly happens, because YARN serves what
 * is more important first; its allocator of OPPORTUNISTIC ones goes the other way round. So first
 * attempts wait here until no retry does.
 *
 * <p>This needs no bound in time: all maps of a job have one size, so what no node has room for at
 * one priority it has no room for at the other, and without its retries the job does not end.
 * Priorities of reduces, and of applications of other types, are left as they are: their containers
 * are not exchanged in this way, and reduces served before maps would wait for them.
 */
final class MapReduceMaps {
  /** {@code MRJobConfig.MR_APPLICATION_TYPE}. */
  private static final String APPLICATION_TYPE = "MAPREDUCE";

  /** {@code RMContainerAllocator.PRIORITY_FAST_FAIL_MAP}. */
  private static final int RETRY = 5;

  /** {@code PRIORITY_OPPORTUNISTIC_MAP} and {@code PRIORITY_MAP} there. */
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
