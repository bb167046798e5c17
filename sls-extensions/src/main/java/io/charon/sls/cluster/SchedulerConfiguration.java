/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;

/** The queues and limits of the simulated ResourceManager's scheduler. */
final class SchedulerConfiguration {
  /** Queue of production. */
  static final String PRODUCTION_QUEUE = "production";

  /** Queue of best-effort jobs; only their ApplicationMasters are guaranteed. */
  static final String BEST_EFFORT_QUEUE = "best-effort";

  /** All queues. */
  static final List<String> QUEUES = List.of(PRODUCTION_QUEUE, BEST_EFFORT_QUEUE);

  private SchedulerConfiguration() {}

  /** Returns the configuration of the scheduler of a cluster. */
  static Configuration of(ClusterSettings settings) {
    Configuration conf = new YarnConfiguration();
    String queues = CapacitySchedulerConfiguration.PREFIX + "root.";
    conf.set(queues + "queues", PRODUCTION_QUEUE + "," + BEST_EFFORT_QUEUE);
    // Best-effort tasks are not guaranteed and count in no queue. Their ApplicationMasters are
    // guaranteed and may take a tenth of the cluster (YARN's default); further jobs wait and do not
    // displace production.
    conf.set(queues + PRODUCTION_QUEUE + ".capacity", "90");
    conf.set(queues + PRODUCTION_QUEUE + ".maximum-am-resource-percent", "1");
    conf.set(queues + BEST_EFFORT_QUEUE + ".capacity", "10");
    conf.set(queues + BEST_EFFORT_QUEUE + ".maximum-am-resource-percent", "0.1");
    if (settings.parallelBestEffortJobs() < Integer.MAX_VALUE) {
      // A given limit replaces the tenth.
      conf.set(queues + BEST_EFFORT_QUEUE + ".maximum-am-resource-percent", "1");
      conf.setInt(
          queues + BEST_EFFORT_QUEUE + ".max-parallel-apps", settings.parallelBestEffortJobs());
    }
    for (String queue : QUEUES) {
      conf.set(queues + queue + ".maximum-capacity", "100");
      conf.set(queues + queue + ".user-limit-factor", "1000");
    }
    conf.setInt(CapacitySchedulerConfiguration.PREFIX + "maximum-applications", 10_000_000);
    // Since Hadoop 3.5, threads allocate by default instead of heartbeats; here heartbeats
    // allocate.
    conf.setBoolean(CapacitySchedulerConfiguration.SCHEDULE_ASYNCHRONOUSLY_ENABLE, false);
    conf.setLong(
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB,
        Math.max(1, settings.nodes().size().memoryBytes() >> 20));
    conf.setInt(
        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES,
        Math.max(
            settings.nodes().size().virtualCores(),
            YarnConfiguration.DEFAULT_RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES));
    conf.setBoolean(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, true);
    return conf;
  }
}
