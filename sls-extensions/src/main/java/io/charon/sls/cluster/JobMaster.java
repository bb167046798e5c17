/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import io.charon.core.scheduler.AvoidedNodes;
import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.JobKey;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.Owner;
import io.charon.sls.engine.EventPhase;
import io.charon.sls.engine.EventQueue;
import io.charon.sls.node.ContainerPlan;
import io.charon.sls.node.ContainerWork;
import io.charon.sls.node.UsageCurve;
import io.charon.sls.workload.MemoryCurve;
import io.charon.sls.workload.Side;
import io.charon.sls.workload.SimulatedJob;
import io.charon.sls.workload.TaskGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * A simulated ApplicationMaster. It requests all tasks of a stage at once, runs a task again if its
 * container failed, was killed or was rejected, and gives up when one task failed too often. Its
 * own container is guaranteed.
 */
final class JobMaster {
  private static final Priority MASTER_PRIORITY = Priority.newInstance(0);
  private static final Priority TASK_PRIORITY = Priority.newInstance(20);

  /** The default of the ResourceManager's {@code best-effort.avoid-node-ms}. */
  private static final Duration AVOID = Duration.ofSeconds(10);

  private static final int MAX_AVOIDED =
      AvoidedNodes.most(YarnConfiguration.DEFAULT_OPP_CONTAINER_ALLOCATION_NODES_NUMBER_USED);

  private static final double GOLDEN = 0.6180339887498949;

  private record Task(int group, int number) {}

  private final Cluster cluster;
  private final ClusterSettings settings;
  private final EventQueue events;
  private final VirtualResourceManager manager;
  private final SimulatedJob job;
  private final ApplicationAttemptId attempt;
  private final long submittedNanos;
  private final long beatNanos;
  private final long phaseNanos;
  private final boolean guaranteed;
  private final int retries;
  private final JobKey masterKey;
  private final Owner owner;
  private final List<TaskGroupProgress> groups = new ArrayList<>();
  private final Map<ContainerId, Task> tasks = new HashMap<>();
  private final AvoidedNodes avoided = new AvoidedNodes();
  private List<ContainerStatus> finished = new ArrayList<>();
  private Container master;
  private boolean registered;
  private boolean ended;
  private boolean beatPlanned;
  // Sums over the groups, because a job can have hundreds of them.
  private int groupsToComplete;
  private int tasksToAsk;
  private int tasksOutstanding;

  JobMaster(Cluster cluster, ClusterSettings settings, SimulatedJob job, ApplicationAttemptId id) {
    this.cluster = cluster;
    this.settings = settings;
    this.events = cluster.events();
    this.manager = cluster.manager();
    this.job = job;
    this.attempt = id;
    this.submittedNanos = events.nowNanos();
    this.beatNanos = settings.timing().heartbeat().toNanos();
    // Spreads the masters' heartbeats evenly over the interval, for any number of jobs.
    this.phaseNanos = (long) (id.getApplicationId().getId() * GOLDEN % 1 * beatNanos);
    this.guaranteed = job.side() == Side.PRODUCTION;
    this.retries =
        (guaranteed ? job.type() : settings.retries().bestEffortType().orElse(job.type()))
            .retries();
    this.masterKey = new JobKey("user=%s, its ApplicationMaster".formatted(job.user()));
    this.owner = new Owner(job.user(), id.getApplicationId().toString());
    job.tasks().forEach(group -> groups.add(new TaskGroupProgress(group, keyOf(group))));
    this.groupsToComplete = (int) groups.stream().filter(group -> !group.isCompleted()).count();
    this.tasksToAsk = groups.stream().mapToInt(TaskGroupProgress::unrequested).sum();
  }

  /** Requests the container of this master. */
  void submit() {
    Resource capability = Resource.newInstance(mebibytes(settings.master().requestedBytes()), 1);
    ResourceRequest ask =
        ResourceRequest.newInstance(MASTER_PRIORITY, ResourceRequest.ANY, capability, 1);
    manager.submit(attempt, queue(), job.user(), ask, () -> master);
    cluster.demand(1);
    manager.allocateGuaranteed(attempt, List.of(ask));
    cluster.planBeatsForDemand();
  }

  /** Called when the scheduler allocated one of the requested containers. */
  void containerAllocated() {
    if (master != null) {
      planBeat();
      return;
    }
    // YARN itself fetches and launches the container of a master.
    master = manager.allocateGuaranteed(attempt, List.of()).get(0);
    manager.markMaster(master);
    launch(
        master,
        new ContainerPlan(
            new LaunchRequest(
                master.getId().toString(),
                ExecutionType.GUARANTEED,
                masterKey,
                owner,
                settings.master().requestedBytes()),
            new ContainerWork(
                settings.master().usedCores(),
                ContainerWork.ENDLESS,
                new UsageCurve(MemoryCurve.constant(settings.master().usedBytes(), 0)))));
    start();
  }

  /** Starts the master's JVM; the master requests nothing until it is up. */
  private void start() {
    MasterProfile settingsOfMaster = settings.master();
    if (settingsOfMaster.startCores() == 0) {
      events.schedule(
          events.nowNanos() + settingsOfMaster.start().toNanos(),
          EventPhase.DECIDE,
          this::register);
      return;
    }
    cluster
        .agent(master.getNodeId())
        .work(
            new ContainerPlan(
                new LaunchRequest(
                    master.getId() + " starts", ExecutionType.GUARANTEED, masterKey, owner, 1),
                new ContainerWork(
                    settingsOfMaster.startCores(),
                    settingsOfMaster.start().toNanos(),
                    new UsageCurve(MemoryCurve.constant(0, 0)))),
            this::register);
  }

  private void register() {
    registered = true;
    manager.register(attempt);
    planBeat();
  }

  /** Called when the ResourceManager has learned that a container ended. */
  void containerFinished(ContainerStatus status) {
    finished.add(status);
    planBeat();
  }

  /** Lets the task of a killed container continue from the work that it has done. */
  void continueFrom(ContainerId container, double workDoneNanos) {
    Task task = tasks.get(container);
    TaskGroupProgress group = groups.get(task.group());
    group.continueFrom(task.number(), workDoneNanos);
  }

  SimulatedJob job() {
    return job;
  }

  ApplicationId application() {
    return attempt.getApplicationId();
  }

  private void planBeat() {
    if (!beatPlanned && registered && !ended) {
      beatPlanned = true;
      long beats = Math.floorDiv(events.nowNanos() - phaseNanos, beatNanos) + 1;
      events.schedule(phaseNanos + beats * beatNanos, EventPhase.DECIDE, this::beat);
    }
  }

  private void beat() {
    beatPlanned = false;
    processFinished();
    if (ended) {
      return;
    }
    if (groupsToComplete == 0) {
      finish(true);
    } else if (guaranteed) {
      manager.allocateGuaranteed(attempt, List.of()).forEach(this::run);
      List<ResourceRequest> asks = asks();
      if (!asks.isEmpty()) {
        manager.allocateGuaranteed(attempt, asks).forEach(this::run);
        cluster.planBeatsForDemand();
      }
    } else {
      askBestEffort();
    }
  }

  private void processFinished() {
    List<ContainerStatus> news = finished;
    finished = new ArrayList<>();
    for (ContainerStatus status : news) {
      Task task = tasks.remove(status.getContainerId());
      if (task == null) {
        continue;
      }
      TaskGroupProgress group = groups.get(task.group());
      if (status.getExitStatus() == 0) {
        group.completed();
        groupsToComplete -= group.isCompleted() ? 1 : 0;
        continue;
      }
      if (isFailure(status) && group.failed(task.number()) > retries) {
        finish(false);
        return;
      }
      group.runAgain(task.number());
      tasksToAsk++;
    }
  }

  /** A container that only waited did not run, so its task did not fail. */
  private boolean isFailure(ContainerStatus status) {
    return switch (status.getExitStatus()) {
      case NodeAgent.HANDED_BACK -> false;
      case NodeAgent.KILLED -> settings.retries().killsAreFailures();
      default -> true;
    };
  }

  /**
   * Returns the requests for tasks not requested before; each request gives the total number of
   * outstanding containers.
   */
  private List<ResourceRequest> asks() {
    if (tasksToAsk == 0) {
      return List.of();
    }
    List<ResourceRequest> asks = new ArrayList<>();
    int stage = stage();
    for (int i = 0; i < groups.size(); i++) {
      TaskGroupProgress group = groups.get(i);
      if (group.unrequested() == 0 || group.tasks().stage() > stage) {
        continue;
      }
      int requested = group.requested();
      tasksOutstanding += requested;
      tasksToAsk -= requested;
      if (guaranteed) {
        cluster.demand(requested);
      }
      if (!guaranteed && settings.allocation().inputOnRack() && group.tasks().stage() == 0) {
        asks.add(ask(i, NodeAgent.RACK));
      }
      asks.add(ask(i, ResourceRequest.ANY));
    }
    return asks;
  }

  private ResourceRequest ask(int index, String place) {
    TaskGroupProgress group = groups.get(index);
    return ResourceRequest.newBuilder()
        .priority(TASK_PRIORITY)
        .resourceName(place)
        .allocationRequestId(index + 1)
        .capability(
            Resource.newInstance(
                mebibytes(group.tasks().requestedBytes()), group.tasks().virtualCores()))
        .numContainers(group.outstanding())
        .executionTypeRequest(
            ExecutionTypeRequest.newInstance(
                guaranteed
                    ? org.apache.hadoop.yarn.api.records.ExecutionType.GUARANTEED
                    : org.apache.hadoop.yarn.api.records.ExecutionType.OPPORTUNISTIC,
                true))
        .build();
  }

  /** Returns the lowest stage that is not complete. */
  private int stage() {
    return groups.stream()
        .filter(group -> !group.isCompleted())
        .mapToInt(group -> group.tasks().stage())
        .min()
        .orElse(0);
  }

  private void askBestEffort() {
    List<ResourceRequest> asks = asks();
    if (asks.isEmpty() && !manager.load().hasRoom()) {
      cluster.beatAfterSort(this::planBeat);
      return;
    }
    manager
        .allocateOpportunistic(attempt, asks, avoided.hosts(events.nowNanos(), MAX_AVOIDED))
        .forEach(this::run);
    if (tasksOutstanding > 0) {
      planBeat();
    }
  }

  /** Avoids a node that evicted a container of this job, as Charon's ResourceManager does. */
  void avoid(NodeId node) {
    avoided.add(node.getHost(), events.nowNanos(), AVOID.toNanos(), MAX_AVOIDED);
  }

  private void run(Container container) {
    int index = (int) container.getAllocationRequestId() - 1;
    TaskGroupProgress group = groups.get(index);
    tasksOutstanding--;
    Task task = new Task(index, group.allocated());
    tasks.put(container.getId(), task);
    launch(
        container,
        new ContainerPlan(
            new LaunchRequest(
                container.getId().toString(),
                guaranteed ? ExecutionType.GUARANTEED : ExecutionType.OPPORTUNISTIC,
                group.key(),
                owner,
                group.tasks().requestedBytes()),
            group.work(task.number(), settings.timing().taskStart())));
  }

  /**
   * Returns the recurring properties of a container that a real NodeManager knows: its user,
   * priority (MapReduce gives each stage another one) and size, and the queue and name of its job,
   * if it asks for them. Job names are used unchanged: those of workloads recur as they are, and
   * those of traces are numbers, of which a name pattern would leave nothing.
   */
  private JobKey keyOf(TaskGroup group) {
    return JobKey.of(job.user(), Integer.toString(group.stage()), group.requestedBytes() >> 20)
        .narrowedTo(queue(), job.name());
  }

  private String queue() {
    return guaranteed
        ? SchedulerConfiguration.PRODUCTION_QUEUE
        : SchedulerConfiguration.BEST_EFFORT_QUEUE;
  }

  private void launch(Container container, ContainerPlan plan) {
    events.schedule(
        events.nowNanos() + settings.timing().launch().toNanos(),
        EventPhase.DECIDE,
        () -> {
          // The job may have ended meanwhile.
          if (!ended) {
            cluster.agent(container.getNodeId()).launch(plan, container.getId());
          }
        });
  }

  private void finish(boolean succeeded) {
    ended = true;
    cluster.demand(guaranteed ? -tasksOutstanding : 0);
    cluster.jobEnded(this, succeeded, submittedNanos);
    long stays = succeeded ? settings.master().end().toNanos() : 0;
    if (stays == 0) {
      leave(succeeded);
    } else {
      events.schedule(events.nowNanos() + stays, EventPhase.DECIDE, () -> leave(succeeded));
    }
  }

  /** Ends the master's own container and the remaining containers of a failed job. */
  private void leave(boolean succeeded) {
    manager.finish(attempt, succeeded);
    cluster.planBeatsForDemand();
  }

  private static long mebibytes(long bytes) {
    return (bytes + (1 << 20) - 1) >> 20;
  }
}
