/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

/** The metrics of a node, except those of single mechanisms ({@link MechanismMetric}). */
public enum NodeMetric implements Metric {
  NODE_CAPACITY(
      "charon_node_capacity_bytes",
      Type.GAUGE,
      "bytes",
      "Memory of the host or of the NodeManager's cgroup in bytes; 0 while it cannot be read",
      "Size of the node, and whether Charon can read it"),
  NODE_AVAILABLE(
      "charon_node_available_bytes",
      Type.GAUGE,
      "bytes",
      "Available memory of the node in bytes; 0 while it cannot be read",
      "Distance to a memory shortage"),
  MEMORY_SNAPSHOT(
      "charon_memory_snapshot_bytes",
      Type.GAUGE,
      "bytes",
      "Largest expected peak with which a best-effort container may start in bytes (SnapMem)",
      "Explains why no container starts"),
  RUNNABLE(
      "charon_runnable_threads_per_core",
      Type.GAUGE,
      "threads",
      "Mean number of threads that run or wait for a CPU, for each CPU of the machine; 0 if unknown",
      "From scheduler.runnable-per-core on, no best-effort container starts"),
  REQUESTED(
      "charon_{class}_requested_bytes",
      Type.GAUGE,
      "bytes",
      Label.CLASS,
      "Sum of the requests of running containers in bytes",
      "Memory that production reserves"),
  WORKING_SET(
      "charon_{class}_working_set_bytes",
      Type.GAUGE,
      "bytes",
      Label.CLASS,
      "Sum of the working sets of running containers at the last tick in bytes",
      "Memory that production and best-effort use"),
  RECLAIMED_BYTES(
      "charon_reclaimed_{kind}_bytes",
      Type.GAUGE,
      "bytes",
      Label.RECLAIMED,
      "Memory in bytes that best-effort may still use (now), that production has not reserved "
          + "(free), and that production has reserved and lends (reclaimed); absent while unknown",
      "Idle part of production's reservations"),
  RECLAIMED_CORES(
      "charon_reclaimed_{kind}_cores",
      Type.GAUGE,
      "cores",
      Label.RECLAIMED,
      "The same for processors in cores; now is the total that best-effort may use below 65 % of "
          + "them",
      "Idle part of production's reservations"),
  RUNNING(
      "charon_running_containers",
      Type.GAUGE,
      "containers",
      "Running best-effort containers",
      "Best-effort work in progress"),
  QUEUED(
      "charon_queued_containers",
      Type.GAUGE,
      "containers",
      "Best-effort containers that wait on this node",
      "Work that exceeds the node's room"),
  QUEUE_LIMIT(
      "charon_queue_limit_containers",
      Type.GAUGE,
      "containers",
      "Maximum number of waiting best-effort containers; YARN rejects further ones",
      "Compare with charon_queued_containers to see a full queue"),
  FROZEN(
      "charon_frozen_containers",
      Type.GAUGE,
      "containers",
      "Best-effort containers that are frozen for lack of memory",
      "Work that makes no progress"),
  STOPPED(
      "charon_stopped",
      Type.GAUGE,
      "boolean",
      "1 while an operator keeps best-effort stopped, on this node or in the cluster, else 0",
      "Explains why no container starts"),
  CLUSTER_WORD_AGE(
      "charon_cluster_stop_age_seconds",
      Type.GAUGE,
      "seconds",
      "Seconds since a ResourceManager last reported the cluster's stop state; NaN if none did "
          + "since the NodeManager started",
      "Shows whether a stop of the cluster reaches this node"),
  UNTOUCHED(
      "charon_untouched_containers",
      Type.GAUGE,
      "containers",
      "Running containers that started without Charon, so without its cgroup and score",
      "Falls to 0 when a change to enforce is complete"),
  OBSERVED_SECONDS(
      "charon_observed_seconds",
      Type.COUNTER,
      "seconds",
      "Seconds of observation; this and all charon_observed_* exist in mode observe only",
      "Base for the other charon_observed_* metrics"),
  OBSERVED_OFFERED(
      "charon_observed_offered_bytes",
      Type.GAUGE,
      "bytes",
      "Memory that a best-effort launch could have used in bytes (SnapMem)",
      "Idle memory that Charon would offer"),
  OBSERVED_EARLIER(
      "charon_observed_earlier_containers",
      Type.COUNTER,
      "containers",
      "Best-effort containers that would have started at least 1 s earlier than with YARN",
      "Expected gain in containers"),
  OBSERVED_EARLIER_SECONDS(
      "charon_observed_earlier_seconds",
      Type.COUNTER,
      "seconds",
      "Total seconds that these containers waited unnecessarily",
      "Expected gain in time"),
  OBSERVED_HELD_BACK(
      "charon_observed_held_back_containers",
      Type.COUNTER,
      "containers",
      "Best-effort containers that YARN started and Charon would not have: memory or CPU time was "
          + "too short, memory could not be read, or a container would just have been killed; "
          + "without those during an operator's stop",
      "Launches that YARN makes without enough memory or CPU time"),
  OBSERVED_KILLS(
      "charon_observed_kills",
      Type.COUNTER,
      "kills",
      "Best-effort containers that the user-space killer would have killed",
      "Expected loss of work"),
  LAUNCHED(
      "charon_launched_containers",
      Type.COUNTER,
      "containers",
      "Best-effort containers that were started",
      "Launch rate"),
  REJECTED(
      "charon_rejected_containers",
      Type.COUNTER,
      "containers",
      "Best-effort containers that were rejected because this node's queue was full",
      "Shows that the ResourceManager sends more than the node can take"),
  SHED(
      "charon_shed_containers",
      Type.COUNTER,
      "containers",
      "Best-effort containers removed from this node's queue by the ResourceManager's limit",
      "Work that the ResourceManager moves away"),
  HANDED_BACK(
      "charon_handed_back_containers",
      Type.COUNTER,
      "containers",
      "Best-effort containers handed back after waiting here for longer than max-wait-ms",
      "Work that waited here and may run elsewhere"),
  PREEMPTED(
      "charon_preempted_by_yarn_containers",
      Type.COUNTER,
      "containers",
      "Best-effort containers that YARN killed to make room for a guaranteed one",
      "Kills by YARN instead of Charon"),
  LAUNCH_WAIT(
      "charon_launch_wait_seconds",
      Type.HISTOGRAM,
      "seconds",
      Label.NONE,
      Buckets.WAIT,
      "Seconds from a best-effort container's arrival at the local scheduler to its launch",
      "Waiting time"),
  KILLED_FOR_MEMORY(
      "charon_killed_for_memory_containers",
      Type.COUNTER,
      "containers",
      "Best-effort containers that ended because they were killed for memory",
      "Lost work"),
  KILLS(
      "charon_{killer}_kills",
      Type.COUNTER,
      "kills",
      Label.KILLER,
      "Decisions to kill a best-effort container: for memory, except for CPU time "
          + "(evict_satisfaction) and by an operator (stop)",
      "Active killer and its rate"),
  KILL_SIGNAL(
      "charon_{killer}_kill_decision_to_signal_seconds",
      Type.HISTOGRAM,
      "seconds",
      Label.KILLER,
      Buckets.KILL,
      "Seconds from the decision to the last signal; the kernel signals by itself, the other "
          + "killers ask YARN, which sends SIGTERM before SIGKILL",
      "Speed of a kill"),
  KILL_FREED(
      "charon_{killer}_kill_decision_to_freed_seconds",
      Type.HISTOGRAM,
      "seconds",
      Label.KILLER,
      Buckets.KILL,
      "Seconds from the decision until the memory was free, as seen by the kernel killer's helper, "
          + "else until YARN saw the container's end",
      "Time until production gets its memory back"),
  KILLER_TIER(
      "charon_kernel_killer_tier",
      Type.GAUGE,
      "tier",
      "Tier of the kernel killer: 1 kills in the kernel, 2 and 3 through the helper; 0 while it is "
          + "not in charge",
      "Capabilities of this kernel"),
  KILLER_IN_CHARGE(
      "charon_{killer}_killer_in_charge",
      Type.GAUGE,
      "boolean",
      Label.KILLER_IN_CHARGE,
      "1 while this killer would kill if memory ran short, else 0; absent if the configuration has "
          + "no such killer",
      "Shows whether production is protected"),
  FOREIGN_REGISTRATIONS(
      "charon_killer_foreign_registrations",
      Type.GAUGE,
      "registrations",
      "Registrations in this node's domain of the kernel killer by other processes",
      "Shows other components that make containers killable here"),
  FREEZE_DECISIONS(
      "charon_freeze_{action}_decisions",
      Type.COUNTER,
      "decisions",
      Label.FREEZE,
      "Decisions of the freeze before kill, also in mode observe",
      "Shows whether freezing avoids kills"),
  PEAK_OVERESTIMATED(
      "charon_peak_overestimated_bytes",
      Type.HISTOGRAM,
      "bytes",
      Label.NONE,
      Buckets.BYTES,
      "Bytes by which a container's expected peak exceeded the measured one; 0 if it was below",
      "Memory lost to cautious estimates"),
  PEAK_UNDERESTIMATED(
      "charon_peak_underestimated_bytes",
      Type.HISTOGRAM,
      "bytes",
      Label.NONE,
      Buckets.BYTES,
      "Bytes by which a container's measured peak exceeded the expected one; 0 if it was below",
      "Containers that outgrow their estimate"),
  PEAK_EXCHANGES(
      "charon_peak_exchanges",
      Type.COUNTER,
      "messages",
      "Messages about peaks that a ResourceManager answered",
      "Shows that nodes share peaks"),
  PEAK_EXCHANGE_FAILURES(
      "charon_peak_exchange_failures",
      Type.COUNTER,
      "attempts",
      "Attempts to share peaks that no ResourceManager answered",
      "Shows that the exchange is not set up on the ResourceManager"),
  JOBS_LEARNED(
      "charon_peak_jobs_learned_from_others",
      Type.COUNTER,
      "jobs",
      "Jobs that other nodes reported before this node had measured them",
      "Benefit of sharing peaks"),
  TICK(
      "charon_tick_seconds",
      Type.HISTOGRAM,
      "seconds",
      Label.NONE,
      Buckets.TICK,
      "Duration of a tick in seconds: reading, deciding, writing",
      "Cost of Charon, and whether it keeps up"),
  TICK_AGE(
      "charon_tick_age_seconds",
      Type.GAUGE,
      "seconds",
      "Seconds since the last complete tick; from 3 periods on, and at least 3 s, best-effort "
          + "launches stop and the user-space killer is in charge",
      "Shows whether Charon still manages this node"),
  TOLERATED_FAILURES(
      "charon_tolerated_failures",
      Type.COUNTER,
      "failures",
      "Tolerated failures, such as a file that could not be read or written; the NodeManager's log "
          + "has each cause once",
      "Shows unnoticed faults"),
  OUTSIDE_CGROUP(
      "charon_containers_outside_cgroup",
      Type.GAUGE,
      "containers",
      "Containers whose processes are not in the cgroup that was made for them: no weight, limit "
          + "or protection applies to them, and the kernel killer is not in charge",
      "Containers that Charon cannot control"),
  CGROUP_WARNINGS(
      "charon_cgroup_warnings",
      Type.COUNTER,
      "warnings",
      "Optional cgroup settings that failed, such as weight, swappiness or memory.min",
      "Shows missing protection of containers");

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts and enums, which cannot change
  private final MetricDefinition definition;

  /** A metric without a label. */
  NodeMetric(String name, Type type, String unit, String meaning, String use) {
    this(name, type, unit, Label.NONE, meaning, use);
  }

  /** A metric without buckets. */
  NodeMetric(String template, Type type, String unit, Label label, String meaning, String use) {
    this(template, type, unit, label, Buckets.NONE, meaning, use);
  }

  NodeMetric(
      String template,
      Type type,
      String unit,
      Label label,
      Buckets buckets,
      String meaning,
      String use) {
    definition = new MetricDefinition(template, type, unit, label, buckets, meaning, use);
  }

  @Override
  public MetricDefinition definition() {
    return definition;
  }
}
