/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import java.util.List;
import java.util.Locale;

/**
 * Every metric of a node: the only place that names them. JMX, Prometheus, Hadoop's Metrics2 and
 * docs/metrics.md take them from here.
 *
 * <p>A name holds the key of its label in braces. In JMX the label's value takes that place ({@code
 * charon_pause_freeze_decisions}); elsewhere it is left out ({@code
 * charon_pause_decisions_total{action="freeze"}}).
 */
public enum Metric {
  NODE_CAPACITY(
      "charon_node_capacity_bytes",
      Type.GAUGE,
      "bytes",
      Label.NONE,
      Buckets.NONE,
      "Memory of the node: the host, or the NodeManager's cgroup. 0 while it " + "cannot be read",
      "How large is the node, and can Charon see it?"),
  NODE_AVAILABLE(
      "charon_node_available_bytes",
      Type.GAUGE,
      "bytes",
      Label.NONE,
      Buckets.NONE,
      "Memory of the node that nobody uses. 0 while it cannot be read",
      "How close is the node to running out?"),
  MEMORY_SNAPSHOT(
      "charon_memory_snapshot_bytes",
      Type.GAUGE,
      "bytes",
      Label.NONE,
      Buckets.NONE,
      "What the next best-effort container may need at most (SnapMem)",
      "Why does nothing start?"),
  REQUESTED(
      "charon_{class}_requested_bytes",
      Type.GAUGE,
      "bytes",
      Label.CLASS,
      Buckets.NONE,
      "Sum of the requests of running containers",
      "How much does production reserve?"),
  WORKING_SET(
      "charon_{class}_working_set_bytes",
      Type.GAUGE,
      "bytes",
      Label.CLASS,
      Buckets.NONE,
      "Sum of the working sets of running containers at the last tick",
      "How much of it does it use, and how much does best-effort?"),
  RECLAIMED_BYTES(
      "charon_reclaimed_{kind}_bytes",
      Type.GAUGE,
      "bytes",
      Label.RECLAIMED,
      Buckets.NONE,
      "Memory that best-effort could use yet; what production has not reserved; what it has and lends. Absent while not known",
      "How much of production's reservations is idle?"),
  RECLAIMED_CORES(
      "charon_reclaimed_{kind}_cores",
      Type.GAUGE,
      "cores",
      Label.RECLAIMED,
      Buckets.NONE,
      "The same for processors: what best-effort may use altogether below 65 % of them",
      "How much of production's reservations is idle?"),
  RUNNING(
      "charon_running_containers",
      Type.GAUGE,
      "containers",
      Label.NONE,
      Buckets.NONE,
      "Best-effort containers that run",
      "How much does best-effort get done?"),
  QUEUED(
      "charon_queued_containers",
      Type.GAUGE,
      "containers",
      Label.NONE,
      Buckets.NONE,
      "Best-effort containers that wait on this node",
      "Is there more work than room?"),
  QUEUE_LIMIT(
      "charon_queue_limit_containers",
      Type.GAUGE,
      "containers",
      Label.NONE,
      Buckets.NONE,
      "How many may wait; YARN rejects what comes then",
      "Is the queue full?"),
  PAUSED(
      "charon_paused_containers",
      Type.GAUGE,
      "containers",
      Label.NONE,
      Buckets.NONE,
      "Best-effort containers that are frozen for lack of memory",
      "Is somebody standing still?"),
  STOPPED(
      "charon_stopped",
      Type.GAUGE,
      "boolean",
      Label.NONE,
      Buckets.NONE,
      "1 while an operator keeps best-effort stopped, on this node or in the cluster",
      "Does nothing start because somebody said so?"),
  CLUSTER_WORD_AGE(
      "charon_cluster_stop_age_seconds",
      Type.GAUGE,
      "seconds",
      Label.NONE,
      Buckets.NONE,
      "Since a ResourceManager last said whether best-effort is stopped in the cluster. NaN if none ever did",
      "Would this node hear of a stop of the cluster?"),
  UNTOUCHED(
      "charon_untouched_containers",
      Type.GAUGE,
      "containers",
      Label.NONE,
      Buckets.NONE,
      "Containers that run and started while Charon did not act: without cgroup and score of its",
      "Is a change to enforce complete?"),
  OBSERVED_SECONDS(
      "charon_observed_seconds",
      Type.COUNTER,
      "seconds",
      Label.NONE,
      Buckets.NONE,
      "For how long Charon has observed. This and all charon_observed_* are there in mode observe only",
      "How much does what was observed say?"),
  OBSERVED_OFFERED(
      "charon_observed_offered_bytes",
      Type.GAUGE,
      "bytes",
      Label.NONE,
      Buckets.NONE,
      "Memory that a best-effort launch could have used (SnapMem)",
      "How much memory lies idle that Charon would offer?"),
  OBSERVED_EARLIER(
      "charon_observed_earlier_containers",
      Type.COUNTER,
      "containers",
      Label.NONE,
      Buckets.NONE,
      "Best-effort containers that would have started 1 s or more before YARN started them",
      "How many jobs would have gained?"),
  OBSERVED_EARLIER_SECONDS(
      "charon_observed_earlier_seconds",
      Type.COUNTER,
      "seconds",
      Label.NONE,
      Buckets.NONE,
      "How long these waited for nothing, altogether",
      "How much would they have gained?"),
  OBSERVED_HELD_BACK(
      "charon_observed_held_back_containers",
      Type.COUNTER,
      "containers",
      Label.NONE,
      Buckets.NONE,
      "Best-effort containers that YARN started while physical memory was too short",
      "How often does YARN start what does not fit?"),
  OBSERVED_KILLS(
      "charon_observed_kills",
      Type.COUNTER,
      "kills",
      Label.NONE,
      Buckets.NONE,
      "Best-effort containers that the user-space killer would have ended",
      "How much work would be lost?"),
  LAUNCHED(
      "charon_launched_containers",
      Type.COUNTER,
      "containers",
      Label.NONE,
      Buckets.NONE,
      "Best-effort containers that were started",
      "How many start?"),
  REJECTED(
      "charon_rejected_containers",
      Type.COUNTER,
      "containers",
      Label.NONE,
      Buckets.NONE,
      "Best-effort containers that were refused because the queue of this node " + "was full",
      "Does the ResourceManager send more than the node can take?"),
  SHED(
      "charon_shed_containers",
      Type.COUNTER,
      "containers",
      Label.NONE,
      Buckets.NONE,
      "Best-effort containers that the ResourceManager's queue limit took out of " + "the queue",
      "Does the ResourceManager move work away?"),
  HANDED_BACK(
      "charon_handed_back_containers",
      Type.COUNTER,
      "containers",
      Label.NONE,
      Buckets.NONE,
      "Best-effort containers that waited in the queue of this node for longer than longest-wait-ms",
      "Does work wait here that could run elsewhere?"),
  PREEMPTED(
      "charon_preempted_by_yarn_containers",
      Type.COUNTER,
      "containers",
      Label.NONE,
      Buckets.NONE,
      "Best-effort containers that YARN killed to make room for a guaranteed one",
      "Does YARN kill, rather than Charon?"),
  LAUNCH_WAIT(
      "charon_launch_wait_seconds",
      Type.HISTOGRAM,
      "seconds",
      Label.NONE,
      Buckets.WAIT,
      "From a best-effort container's arrival at the local scheduler to its " + "launch",
      "How long do containers wait?"),
  KILLED_FOR_MEMORY(
      "charon_killed_for_memory_containers",
      Type.COUNTER,
      "containers",
      Label.NONE,
      Buckets.NONE,
      "Best-effort containers that ended because they were killed for memory",
      "How much work is lost?"),
  KILLS(
      "charon_{killer}_kills",
      Type.COUNTER,
      "kills",
      Label.KILLER,
      Buckets.NONE,
      "Decisions to kill a container for memory",
      "Who kills, and how often?"),
  KILL_SIGNAL(
      "charon_{killer}_kill_decision_to_signal_seconds",
      Type.HISTOGRAM,
      "seconds",
      Label.TIMED_KILLER,
      Buckets.KILL,
      "From the decision to the last signal. The kernel signals itself; the "
          + "others ask YARN, which sends SIGTERM before SIGKILL",
      "How fast is a kill?"),
  KILL_FREED(
      "charon_{killer}_kill_decision_to_freed_seconds",
      Type.HISTOGRAM,
      "seconds",
      Label.TIMED_KILLER,
      Buckets.KILL,
      "From the decision until the memory was free: as the kernel killer's "
          + "helper saw it, else until YARN saw the container's end",
      "How fast does production get its memory back?"),
  KILLER_TIER(
      "charon_kernel_killer_tier",
      Type.GAUGE,
      "tier",
      Label.NONE,
      Buckets.NONE,
      "Tier of the kernel killer: 1 kills in the kernel, 2 and 3 through the "
          + "helper; 0 while it is not in charge",
      "Which killer does this kernel allow?"),
  KILLER_IN_CHARGE(
      "charon_{killer}_killer_in_charge",
      Type.GAUGE,
      "boolean",
      Label.KILLER_IN_CHARGE,
      Buckets.NONE,
      "1 while it would kill if memory ran short, else 0. Absent where the "
          + "configuration has no such killer",
      "Is production protected?"),
  FOREIGN_REGISTRATIONS(
      "charon_killer_foreign_registrations",
      Type.GAUGE,
      "registrations",
      Label.NONE,
      Buckets.NONE,
      "Registered with the kernel killer in this node's domain by others than "
          + "this NodeManager",
      "Does somebody else decide who may be killed here?"),
  PAUSE_DECISIONS(
      "charon_pause_{action}_decisions",
      Type.COUNTER,
      "decisions",
      Label.PAUSE,
      Buckets.NONE,
      "What pause before kill decided, in mode observe too",
      "Does freezing save kills?"),
  LIMIT_BYTES(
      "charon_{regulator}_regulator_limit_bytes",
      Type.GAUGE,
      "bytes",
      Label.REGULATOR,
      Buckets.NONE,
      "What best-effort may use",
      "Does a regulator hold best-effort back?"),
  LIMIT_CORES(
      "charon_{regulator}_regulator_limit_cores",
      Type.GAUGE,
      "cores",
      Label.REGULATOR,
      Buckets.NONE,
      "What best-effort may use",
      "Does a regulator hold best-effort back?"),
  LIMIT_TRAFFIC(
      "charon_{regulator}_regulator_limit_bytes_per_second",
      Type.GAUGE,
      "bytes/second",
      Label.REGULATOR,
      Buckets.NONE,
      "What best-effort may use",
      "Does a regulator hold best-effort back?"),
  MEAN_BYTES(
      "charon_{regulator}_regulator_mean_bytes",
      Type.GAUGE,
      "bytes",
      Label.REGULATOR,
      Buckets.NONE,
      "Mean of the foreground's working set and swap over the last window",
      "What is normal on this node?"),
  MEAN_RATIO(
      "charon_{regulator}_regulator_mean_ratio",
      Type.GAUGE,
      "ratio",
      Label.REGULATOR,
      Buckets.NONE,
      "Mean of the foreground's CPU signal over the last window",
      "What is normal on this node?"),
  MEAN_CORES(
      "charon_{regulator}_regulator_mean_cores",
      Type.GAUGE,
      "cores",
      Label.REGULATOR,
      Buckets.NONE,
      "Mean load of the foreground, where cores follow load or a water line is set",
      "What is normal on this node?"),
  MEAN_TRAFFIC(
      "charon_{regulator}_regulator_mean_bytes_per_second",
      Type.GAUGE,
      "bytes/second",
      Label.REGULATOR,
      Buckets.NONE,
      "Mean of what the foreground sent over the last window",
      "What is normal on this node?"),
  DEVIATION_BYTES(
      "charon_{regulator}_regulator_standard_deviation_bytes",
      Type.GAUGE,
      "bytes",
      Label.REGULATOR,
      Buckets.NONE,
      "Standard deviation of the foreground's working set and swap",
      "How far from the mean is still normal?"),
  DEVIATION_RATIO(
      "charon_{regulator}_regulator_standard_deviation_ratio",
      Type.GAUGE,
      "ratio",
      Label.REGULATOR,
      Buckets.NONE,
      "Standard deviation of the foreground's CPU signal",
      "How far from the mean is still normal?"),
  DEVIATION_TRAFFIC(
      "charon_{regulator}_regulator_standard_deviation_bytes_per_second",
      Type.GAUGE,
      "bytes/second",
      Label.REGULATOR,
      Buckets.NONE,
      "Standard deviation of what the foreground sent",
      "How far from the mean is still normal?"),
  PINNED_CORES(
      "charon_{regulator}_regulator_pinned_cores",
      Type.GAUGE,
      "cores",
      Label.REGULATOR,
      Buckets.NONE,
      "Cores that foreground processes are pinned to",
      "Why does best-effort not get these cores?"),
  UNMET_BYTES(
      "charon_{regulator}_regulator_unmet_bytes",
      Type.GAUGE,
      "bytes",
      Label.REGULATOR,
      Buckets.NONE,
      "Memory that eviction is to release and no best-effort container that runs could. 0 while nothing is short",
      "Is memory short, and nobody left to evict?"),
  UNMET_CORES(
      "charon_{regulator}_regulator_unmet_cores",
      Type.GAUGE,
      "cores",
      Label.REGULATOR,
      Buckets.NONE,
      "The same for requests of processors, vcores",
      "Is best-effort starved, and nobody left to evict?"),
  PEAK_OVERESTIMATED(
      "charon_peak_overestimated_bytes",
      Type.HISTOGRAM,
      "bytes",
      Label.NONE,
      Buckets.BYTES,
      "By how much a finished container's expected peak was above the measured "
          + "one; 0 if it was below",
      "How much memory do careful estimates waste?"),
  PEAK_UNDERESTIMATED(
      "charon_peak_underestimated_bytes",
      Type.HISTOGRAM,
      "bytes",
      Label.NONE,
      Buckets.BYTES,
      "By how much it was below; 0 if it was above",
      "Do containers outgrow what was expected of them?"),
  PEAK_EXCHANGES(
      "charon_peak_exchanges",
      Type.COUNTER,
      "messages",
      Label.NONE,
      Buckets.NONE,
      "Messages about peaks that a ResourceManager answered",
      "Do nodes learn from each other?"),
  PEAK_EXCHANGE_FAILURES(
      "charon_peak_exchange_failures",
      Type.COUNTER,
      "attempts",
      Label.NONE,
      Buckets.NONE,
      "Attempts to share peaks that no ResourceManager answered",
      "Is the exchange set up on the ResourceManager?"),
  JOBS_LEARNT(
      "charon_peak_jobs_learnt_from_others",
      Type.COUNTER,
      "jobs",
      Label.NONE,
      Buckets.NONE,
      "Jobs of which other nodes told before this one had measured them",
      "What does sharing bring?"),
  TICK(
      "charon_tick_seconds",
      Type.HISTOGRAM,
      "seconds",
      Label.NONE,
      Buckets.TICK,
      "How long a tick takes: reading, deciding, writing",
      "What does Charon cost, and does it keep up?"),
  TICK_AGE(
      "charon_tick_age_seconds",
      Type.GAUGE,
      "seconds",
      Label.NONE,
      Buckets.NONE,
      "Since the last complete tick. From 3 periods on, at least 3 s, best-effort "
          + "launches stop and the user-space killer is in charge",
      "Does Charon still look after this node?"),
  TOLERATED_FAILURES(
      "charon_tolerated_failures",
      Type.COUNTER,
      "failures",
      Label.NONE,
      Buckets.NONE,
      "What went wrong and was tolerated, such as a file that could not be read "
          + "or written; the NodeManager's log has each cause once",
      "Is something broken that nobody noticed?"),
  OUTSIDE_CGROUP(
      "charon_containers_outside_cgroup",
      Type.GAUGE,
      "containers",
      Label.NONE,
      Buckets.NONE,
      "Containers whose processes are not in the cgroup that was made for them: no weight, limit "
          + "or protection reaches them, and the kernel killer is not in charge",
      "Are containers where Charon looks after them?"),
  CGROUP_WARNINGS(
      "charon_cgroup_warnings",
      Type.COUNTER,
      "warnings",
      Label.NONE,
      Buckets.NONE,
      "Optional settings of a cgroup that failed, such as its weight, swappiness "
          + "or memory.min",
      "Are containers protected as configured?");

  /** How a metric behaves. */
  public enum Type {
    /** Goes up and down. */
    GAUGE,
    /** Only grows, from 0 at each start of the NodeManager. */
    COUNTER,
    /** Counts values in buckets. */
    HISTOGRAM;

    /** As Prometheus writes it. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final String template;
  private final Type type;
  private final String unit;
  private final Label label;
  private final Buckets buckets;
  private final String meaning;
  private final String question;

  Metric(
      String template,
      Type type,
      String unit,
      Label label,
      Buckets buckets,
      String meaning,
      String question) {
    this.template = template;
    this.type = type;
    this.unit = unit;
    this.label = label;
    this.buckets = buckets;
    this.meaning = meaning;
    this.question = question;
  }

  /** How it behaves. */
  public Type type() {
    return type;
  }

  /** Its base unit. */
  public String unit() {
    return unit;
  }

  /** What it says, in one line. */
  public String meaning() {
    return meaning;
  }

  /** What it answers for an operator. */
  public String question() {
    return question;
  }

  /** Its name in Prometheus, without a histogram's suffixes. */
  public String prometheusName() {
    String name = template.replace("{" + label.key() + "}_", "");
    return type == Type.COUNTER ? name + "_total" : name;
  }

  /** The key of its label in Prometheus; empty if it has none. */
  public String labelKey() {
    return label.key();
  }

  /** All values that its label can have; one empty value if it has none, or mechanisms name it. */
  public List<String> labelValues() {
    return label.all();
  }

  /**
   * The name of one series in JMX.
   *
   * @param labelValue one of {@link #labelValues}, or a mechanism
   * @throws IllegalArgumentException for any other
   */
  public String jmxName(String labelValue) {
    if (!label.has(labelValue)) {
      throw new IllegalArgumentException(
          name() + " has no series '" + labelValue + "', only " + labelValues());
    }
    return template.replace("{" + label.key() + "}", labelValue);
  }

  Buckets buckets() {
    return buckets;
  }
}
