/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;

/**
 * The state of one node, for programs and people. Times are ISO-8601, memory is in bytes; a value
 * that does not exist is absent. The parts that are unwrapped are written beside the others.
 *
 * @param mode mode of the node: off, observe, enforce or threshold
 * @param node the node's memory; absent if it cannot be read
 * @param launches best-effort containers that run, wait and were decided about
 * @param containment what holds containers back, and what it killed
 * @param mechanisms what the mechanisms measured and decided
 * @param placement containers that Charon placed and did not place
 * @param observation what Charon would have done; only in mode observe
 * @param operator what operators changed on this node
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StatusDocument(
    String mode,
    Node node,
    @JsonUnwrapped Launches launches,
    @JsonUnwrapped Containment containment,
    @JsonUnwrapped Mechanisms mechanisms,
    Placement placement,
    Observation observation,
    @JsonUnwrapped Operator operator) {

  /**
   * The containers, and the launches of best-effort.
   *
   * @param snapshotBytes the memory that a launch may need now
   * @param runnablePerCore mean number of threads that run or wait for a CPU, for each CPU; 0 if
   *     unknown
   * @param launchesDelayedSeconds how long launches are still delayed after a kill
   * @param queueLimit best-effort containers that may wait
   * @param counters containers launched, rejected, shed, handedBack, killed, preemptedByYarn;
   *     toleratedFailures
   * @param running running containers, including production
   * @param queued waiting best-effort containers, in the order in which Charon starts them
   * @param decisions recent decisions, newest last
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Launches(
      Long snapshotBytes,
      Double runnablePerCore,
      Double launchesDelayedSeconds,
      int queueLimit,
      Map<String, Long> counters,
      List<Running> running,
      List<Queued> queued,
      List<Decision> decisions) {}

  /**
   * What confines containers, and who was killed.
   *
   * @param killer the killer in charge
   * @param isolation which component creates the cgroups of containers; absent without cgroups
   * @param outsideCgroups containers that run outside their cgroups; absent if there are none
   * @param kills recent kills, newest last
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Containment(
      Killer killer,
      Isolation isolation,
      OutsideCgroups outsideCgroups,
      List<KillDocument> kills) {}

  /**
   * What the mechanisms measured and decided.
   *
   * @param regulators last decision of every mechanism
   * @param resources use of each resource; absent before the first tick
   * @param reclaimed memory and processors that best-effort may use
   * @param freeze containers frozen for lack of memory; absent while that is off
   * @param tick the age of what ticks measured
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Mechanisms(
      List<RegulatorDocument> regulators,
      Resources resources,
      List<Reclaimed> reclaimed,
      Freeze freeze,
      Tick tick) {}

  /**
   * The tick, which takes the readings.
   *
   * @param ageSeconds time since the last complete tick, or since the start before the first
   * @param late why values of the last tick are not those of now; absent if they are
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Tick(double ageSeconds, String late) {}

  /**
   * What operators changed on this node.
   *
   * @param configuration keys that were changed on this node at run time
   * @param stop whether an operator keeps best-effort stopped
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Operator(Configuration configuration, StopDocument stop) {}

  /**
   * The node's memory.
   *
   * @param boundary the memory that counts as the node's: host, self or cgroup
   * @param capacityBytes its size
   * @param availableBytes its available part
   */
  public record Node(String boundary, long capacityBytes, long availableBytes) {}

  /**
   * Which component creates the cgroups of containers.
   *
   * @param kind own: Charon; attach: YARN or an engine, and Charon adopts them; beside: both
   * @param makers the keys, with their values, by which YARN or an engine creates them
   * @param memoryLimit how the memory limit of best-effort is enforced, or why not
   */
  public record Isolation(String kind, List<String> makers, String memoryLimit) {}

  /**
   * Containers whose processes are not in the cgroups that were created for them.
   *
   * @param containers their number
   * @param named the first of them, at most eight
   * @param reason the reason for the first
   * @param cure the cure
   */
  public record OutsideCgroups(
      int containers, List<OutsideCgroup> named, String reason, String cure) {}

  /**
   * A container outside its cgroup.
   *
   * @param containerId YARN's container id
   * @param cgroup cgroup of its first process
   */
  public record OutsideCgroup(String containerId, String cgroup) {}

  /**
   * A running container.
   *
   * @param containerId YARN's container id
   * @param executionType guaranteed or opportunistic
   * @param applicationMaster whether it is an ApplicationMaster
   * @param bestEffortMasterPercent its CPU weight, percent of that of a production container, if it
   *     manages a best-effort job; absent for all others
   * @param job identifies its job across runs
   * @param memory its memory
   * @param runningSeconds its running time; absent for guaranteed containers
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Running(
      String containerId,
      String executionType,
      boolean applicationMaster,
      Integer bestEffortMasterPercent,
      String job,
      @JsonUnwrapped Memory memory,
      Double runningSeconds) {}

  /**
   * The memory of a running container.
   *
   * @param requestedBytes its request
   * @param expectedPeakBytes its expected peak; absent for guaranteed containers
   * @param workingSetBytes its working set
   * @param peakBytes its highest working set
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Memory(
      long requestedBytes, Long expectedPeakBytes, long workingSetBytes, long peakBytes) {}

  /**
   * A waiting container.
   *
   * @param containerId YARN's container id
   * @param job identifies its job across runs
   * @param requestedBytes its request
   * @param waitingSeconds its waiting time; absent where stock YARN decides about launches
   * @param reason why it has not started
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Queued(
      String containerId, String job, long requestedBytes, Double waitingSeconds, String reason) {}

  /**
   * A launch decision.
   *
   * @param time time of the decision
   * @param containerId YARN's container id
   * @param outcome launched, queued or rejected
   * @param reason the reason
   * @param neededBytes its expected need
   * @param limitBytes the memory that this was compared with
   */
  public record Decision(
      String time,
      String containerId,
      String outcome,
      String reason,
      long neededBytes,
      long limitBytes) {}

  /**
   * The killer in charge.
   *
   * @param inCharge kernel, user-space or nobody
   * @param tier tier of the loaded kernel killer, 1 to 3; absent if none is loaded
   * @param reason why this tier, or why the kernel killer is not in charge
   * @param domain root cgroup of this node's domain; absent without kernel killer
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Killer(String inCharge, Integer tier, String reason, String domain) {}

  /**
   * Freeze before kill.
   *
   * @param mode observe or enforce
   * @param available whether it can work on this machine
   * @param unavailable why not, with the cure
   * @param frozen containers that are frozen, or would be in mode observe
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Freeze(String mode, boolean available, String unavailable, List<Frozen> frozen) {}

  /**
   * A frozen container.
   *
   * @param containerId YARN's container id
   * @param seconds time since it was frozen
   * @param reclaimedBytes memory that was moved to swap
   * @param reason the measured value and the threshold
   */
  public record Frozen(String containerId, double seconds, long reclaimedBytes, String reason) {}

  /**
   * Running containers by whether Charon gave them cgroup and score at their start. A change of the
   * mode applies to a container only when it ends.
   *
   * @param enforced containers that Charon placed
   * @param untouched containers that started while Charon did not act
   * @param complete whether all containers are as the mode requires
   */
  public record Placement(int enforced, int untouched, boolean complete) {}

  /**
   * What would have been different since the NodeManager started, if Charon had decided.
   *
   * @param seconds length of the observation
   * @param productionReservedBytes requests of the running production containers
   * @param productionUsedBytes their working sets
   * @param launchableBytes memory that a best-effort launch may need now
   * @param difference what would have been different for best-effort containers
   * @param estimated which of these numbers are estimates, and why
   * @param unavailable what is not observed, and why
   */
  public record Observation(
      double seconds,
      long productionReservedBytes,
      long productionUsedBytes,
      long launchableBytes,
      @JsonUnwrapped Difference difference,
      String estimated,
      String unavailable) {}

  /**
   * What would have been different for best-effort containers.
   *
   * @param startedEarlier those that would have started before YARN started them
   * @param earlierSeconds total time that these waited unnecessarily
   * @param heldBack those that YARN started while physical memory was too short
   * @param killed those that the user-space killer would have killed
   */
  public record Difference(
      long startedEarlier, double earlierSeconds, long heldBack, long killed) {}

  /**
   * Keys that were changed on this node at run time.
   *
   * @param file the overrides file; absent if none is configured
   * @param overrides keys and values that override yarn-site.xml
   * @param readMillis modification time of the file when it was last read, milliseconds since 1970;
   *     0 if the file does not exist
   * @param needRestart keys whose values have changed but take effect only at the next start
   * @param problem why the content read last is not in use, or not as it is written
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Configuration(
      String file,
      Map<String, String> overrides,
      long readMillis,
      List<String> needRestart,
      String problem) {}

  /**
   * Use of the node's resources.
   *
   * @param foreground the protected containers or processes
   * @param use use by resource
   * @param throttledCores CPU time that the quota kept from best-effort, in cores
   * @param cores use of each core; absent if no core is known
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Resources(String foreground, List<Use> use, Double throttledCores, Cores cores) {}

  /**
   * The amount of one resource that best-effort may use; absent if it cannot be computed.
   *
   * @param resource memory or cpu
   * @param unit bytes or cores
   * @param now for memory the additional amount, for cpu the total
   * @param free the amount that production has not reserved
   * @param reclaimed the part that production has reserved of what best-effort may use in total
   * @param missing why the numbers are absent
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Reclaimed(
      String resource, String unit, Double now, Double free, Double reclaimed, String missing) {}

  /**
   * Use of each core; lists are in the kernel's notation, such as 0-3,8.
   *
   * @param usable cores that best-effort could get
   * @param pinned cores to which foreground is pinned, empty if none; absent if not known or while
   *     the cores regulator is off
   * @param bestEffort cores that best-effort may use now
   * @param busy how busy each core is, 0 to 1, by its number
   * @param missing why a value is unknown
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Cores(
      String usable, String pinned, String bestEffort, Map<Integer, Double> busy, String missing) {}

  /**
   * Use of one resource; a value that could not be measured is absent.
   *
   * @param resource memory, cpu or network
   * @param unit bytes, cores or bytes_per_second
   * @param foreground use by the foreground
   * @param bestEffort use by best-effort
   * @param capacity size of the resource; for CPU the cores that best-effort may use
   * @param missing why a value is absent
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
