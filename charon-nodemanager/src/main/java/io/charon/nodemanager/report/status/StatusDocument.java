/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * The state of one node as machines and people read it. Times are ISO-8601, memory is bytes; a
 * value that does not exist is absent.
 *
 * @param mode what Charon does: off, observe, enforce or kuber
 * @param node the node's memory, absent if it cannot be read
 * @param snapshotBytes what a launch may need now
 * @param launchesDelayedSeconds how long launches are still delayed after a kill
 * @param queueLimit best-effort containers that may wait
 * @param counters containers launched, rejected, shed, killed, preemptedByYarn; toleratedFailures
 * @param running containers that run, production too
 * @param queued best-effort containers that wait, first to start first
 * @param decisions of the recent past, newest last
 * @param killer who takes memory back
 * @param isolation who makes the cgroups of containers; absent where nobody does
 * @param outsideCgroups who runs outside of its cgroup; absent if nobody does
 * @param kills of the recent past, newest last
 * @param regulators what every regulator decided last
 * @param resources who uses how much; absent before the first tick
 * @param reclaimed what best-effort may use of memory and processors
 * @param pause who is frozen for lack of memory; absent while that is off
 * @param placement whom Charon gave a place, and whom not
 * @param observation what Charon would have done; only in mode observe
 * @param configuration what was changed on this node at run time
 * @param stop whether an operator keeps best-effort stopped
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StatusDocument(
    String mode,
    Node node,
    Long snapshotBytes,
    Double launchesDelayedSeconds,
    int queueLimit,
    Map<String, Long> counters,
    List<Running> running,
    List<Queued> queued,
    List<Decision> decisions,
    Killer killer,
    Isolation isolation,
    OutsideCgroups outsideCgroups,
    List<KillDocument> kills,
    List<Regulator> regulators,
    Resources resources,
    List<Reclaimed> reclaimed,
    Pause pause,
    Placement placement,
    Observation observation,
    Configuration configuration,
    Stop stop) {

  /**
   * What operators ordered for best-effort.
   *
   * @param action none, leave, freeze or kill
   * @param origin whose order that is: node or cluster
   * @param by who gave it; absent if nobody did
   * @param since when, ISO-8601; absent if nobody did
   * @param reason why; absent if nothing was said
   * @param frozen best-effort containers that stand still because of it
   * @param readMillis modification time of the overrides file when its order was read last,
   *     milliseconds since 1970; 0 if there is none
   * @param problem why the node's own order is not in use, and the one before holds
   * @param unavailable why what is ordered cannot be done here, with the cure
   * @param cluster what was heard of the ResourceManagers; absent if nobody is asked
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Stop(
      String action,
      String origin,
      String by,
      String since,
      String reason,
      int frozen,
      long readMillis,
      String problem,
      String unavailable,
      ClusterWord cluster) {}

  /**
   * What was heard of a stop of the cluster.
   *
   * @param server whose word counts; absent if nobody said anything
   * @param ageSeconds since a ResourceManager answered last; absent if none did
   * @param problem who does not answer, and why; absent if all do
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ClusterWord(String server, Double ageSeconds, String problem) {}

  /**
   * The node's memory.
   *
   * @param boundary whose memory it is: host, self or cgroup
   * @param capacityBytes all of it
   * @param availableBytes what can be had now
   */
  public record Node(String boundary, long capacityBytes, long availableBytes) {}

  /**
   * Who makes the cgroups of containers.
   *
   * @param kind own where Charon does; attach where others do and it adopts theirs; beside where
   *     both do
   * @param makers the keys, with their values, by which others make them
   * @param memoryLimit what becomes of the memory limit of best-effort
   */
  public record Isolation(String kind, List<String> makers, String memoryLimit) {}

  /**
   * Containers whose processes are not in the cgroups that were made for them.
   *
   * @param containers how many
   * @param named the first of them, at most eight
   * @param reason why, of the first
   * @param cure what helps
   */
  public record OutsideCgroups(
      int containers, List<OutsideCgroup> named, String reason, String cure) {}

  /**
   * One of them.
   *
   * @param containerId YARN's container id
   * @param cgroup where its first process is
   */
  public record OutsideCgroup(String containerId, String cgroup) {}

  /**
   * A container that runs.
   *
   * @param containerId YARN's container id
   * @param executionType guaranteed or opportunistic
   * @param applicationMaster whether it manages a job
   * @param bestEffortMasterPercent what it weighs on processors, percent of a production container,
   *     because it manages a best-effort job; absent for everybody else
   * @param job what recurs about it
   * @param requestedBytes what it asked for
   * @param expectedPeakBytes what it was charged with; absent for guaranteed ones
   * @param workingSetBytes what it uses
   * @param peakBytes the most it used
   * @param runningSeconds for how long; absent for guaranteed ones
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Running(
      String containerId,
      String executionType,
      boolean applicationMaster,
      Integer bestEffortMasterPercent,
      String job,
      long requestedBytes,
      Long expectedPeakBytes,
      long workingSetBytes,
      long peakBytes,
      Double runningSeconds) {}

  /**
   * A container that waits.
   *
   * @param containerId YARN's container id
   * @param job what recurs about it
   * @param requestedBytes what it asked for
   * @param waitingSeconds for how long
   * @param reason why it has not started
   */
  public record Queued(
      String containerId, String job, long requestedBytes, double waitingSeconds, String reason) {}

  /**
   * A decision.
   *
   * @param time when
   * @param containerId the container
   * @param outcome launched, queued or rejected
   * @param reason why
   * @param neededBytes what it is expected to need
   * @param limitBytes what that was compared with
   */
  public record Decision(
      String time,
      String containerId,
      String outcome,
      String reason,
      long neededBytes,
      long limitBytes) {}

  /**
   * Who takes memory back.
   *
   * @param inCharge kernel, user-space or nobody
   * @param tier of the kernel killer that is loaded, 1 to 3; absent if none is
   * @param reason why this tier, or why the kernel killer is not in charge
   * @param domain root cgroup of this node's domain; absent without kernel killer
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Killer(String inCharge, Integer tier, String reason, String domain) {}

  /**
   * What a regulator decided last; of one that is off only the first three fields.
   *
   * @param name memory, cpu, cores or network
   * @param mode off, observe or enforce
   * @param available whether it can work on this machine
   * @param unavailable why not, with the cure
   * @param signal what it observes of the foreground
   * @param signalNote why that and not a better signal; absent if there is nothing to say
   * @param signalUnit unit of value, mean and deviation
   * @param value what it observed last; absent if that could not be measured
   * @param mean mu, or of cores the mean load where it is followed; absent while a window is being
   *     watched
   * @param standardDeviation sigma; absent while a window is being watched
   * @param limitUnit unit of capacity, bestEffort and limit
   * @param capacity what there is
   * @param bestEffort what best-effort uses; absent if that could not be measured
   * @param limit what it may use
   * @param cores which cores these are, as a list; absent where the limit is no number of cores
   * @param cause the rule that decided
   * @param result what came of it: applied, not applied or failed, and how or why
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Regulator(
      String name,
      String mode,
      Boolean available,
      String unavailable,
      String signal,
      String signalNote,
      String signalUnit,
      Double value,
      Double mean,
      Double standardDeviation,
      String limitUnit,
      Double capacity,
      Double bestEffort,
      Double limit,
      String cores,
      String cause,
      String result) {}

  /**
   * Pause before kill.
   *
   * @param mode observe or enforce
   * @param available whether it can work on this machine
   * @param unavailable why not, with the cure
   * @param paused who is frozen, or would be in mode observe
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Pause(String mode, boolean available, String unavailable, List<Paused> paused) {}

  /**
   * A frozen container.
   *
   * @param containerId YARN's container id
   * @param seconds for how long
   * @param reclaimedBytes what went to swap
   * @param reason the measured value and the threshold
   */
  public record Paused(String containerId, double seconds, long reclaimedBytes, String reason) {}

  /**
   * Containers that run, by whether Charon gave them cgroup and score when they started. The mode
   * changes at once, a container only when it ends.
   *
   * @param enforced it did
   * @param untouched it did not act then
   * @param complete whether all are as the mode wants it
   */
  public record Placement(int enforced, int untouched, boolean complete) {}

  /**
   * What would have been different since the NodeManager started, had Charon decided.
   *
   * @param seconds for how long there is an observation
   * @param productionReservedBytes what production containers that run asked for
   * @param productionUsedBytes their working sets
   * @param launchableBytes what a best-effort launch might need now
   * @param startedEarlier best-effort containers that would have started before YARN started them
   * @param earlierSeconds how long these waited for nothing, altogether
   * @param heldBack best-effort containers that YARN started while physical memory was too short
   * @param killed best-effort containers that the user-space killer would have ended
   * @param estimated which of these are estimates, and why
   * @param unavailable what is not observed, and why
   */
  public record Observation(
      double seconds,
      long productionReservedBytes,
      long productionUsedBytes,
      long launchableBytes,
      long startedEarlier,
      double earlierSeconds,
      long heldBack,
      long killed,
      String estimated,
      String unavailable) {}

  /**
   * What was changed on this node at run time.
   *
   * @param file the overrides file; absent if none is configured
   * @param overrides keys and values that stand above yarn-site.xml
   * @param readMillis modification time of the file when it was last read, milliseconds since 1970;
   *     0 for a file that is not there
   * @param needRestart keys that have other values since, and take effect with the next start
   * @param problem why what was read last is not in use
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Configuration(
      String file,
      Map<String, String> overrides,
      long readMillis,
      List<String> needRestart,
      String problem) {}

  /**
   * Who uses how much of the node.
   *
   * @param foreground who is protected
   * @param use by resource
   * @param throttledCores how many cores' worth of time the CPU quota held best-effort back
   * @param cores who runs on which core; absent if no core is known
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Resources(String foreground, List<Use> use, Double throttledCores, Cores cores) {}

  /**
   * What best-effort may use of one resource; absent if something for it is.
   *
   * @param resource memory or cpu
   * @param unit bytes or cores
   * @param now of memory what it could use yet, of cpu what it may use altogether
   * @param free what production has not reserved
   * @param reclaimed which part of now production has reserved
   * @param missing why the numbers are absent
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Reclaimed(
      String resource, String unit, Double now, Double free, Double reclaimed, String missing) {}

  /**
   * Who runs on which core; lists as the kernel writes them, such as 0-3,8.
   *
   * @param usable those that best-effort could be given
   * @param pinned those that foreground is pinned to, empty if none is; absent while the cores
   *     regulator is off, or if that cannot be found out
   * @param bestEffort those that best-effort may run on now
   * @param busy how busy each is, 0 to 1, by its number
   * @param missing why something is not known
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Cores(
      String usable, String pinned, String bestEffort, Map<Integer, Double> busy, String missing) {}

  /**
   * Who uses how much of one resource; what could not be measured is absent.
   *
   * @param resource memory, cpu or network
   * @param unit bytes, cores or bytes_per_second
   * @param foreground what the foreground uses
   * @param bestEffort what best-effort uses
   * @param capacity what there is; of CPU the cores that best-effort may run on
   * @param missing why something is absent
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Use(
      String resource,
      String unit,
      Double foreground,
      Double bestEffort,
      Double capacity,
      String missing) {}
}
