/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import io.charon.core.scheduler.ExecutionType;
import io.charon.sls.engine.EventChecksum;
import io.charon.sls.engine.EventPhase;
import io.charon.sls.engine.EventQueue;
import io.charon.sls.engine.RandomStreams;
import io.charon.sls.node.NodeListener;
import io.charon.sls.node.NodePolicy;
import io.charon.sls.node.NodeUsage;
import io.charon.sls.node.Processors;
import io.charon.sls.node.SimulatedNode;
import io.charon.sls.node.ThrashModel;
import io.charon.sls.workload.SimulatedJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.event.RMAppAttemptContainerFinishedEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeCleanContainerEvent;

/** A simulated cluster: nodes, ResourceManager and ApplicationMasters on one queue of events. */
public final class Cluster implements AutoCloseable {
  /** YARN's default of {@code nm-container-queuing.sorting-nodes-interval-ms}. */
  private static final long SORT_NANOS = 1_000_000_000;

  private final EventQueue events;
  private final EventChecksum checksum;
  private final ClusterSettings settings;
  private final ClusterObserver observer;
  private final boolean killsLoseWork;

  /** Charon's ResourceManager belongs to the policies that hand containers back. */
  private final boolean avoidsNodes;

  private final VirtualResourceManager manager;
  private final List<NodeAgent> agents = new ArrayList<>();
  private final Map<NodeId, NodeAgent> agentById = new HashMap<>();
  private final Map<ApplicationId, JobMaster> masters = new LinkedHashMap<>();
  private List<Runnable> beatsAfterSort = new ArrayList<>();
  private boolean sortPlanned;
  private long pendingGuaranteed;
  private int submitted;
  private long containersStarted;
  private long containersEnded;

  /**
   * Builds a cluster on which nothing runs.
   *
   * @param settings settings of the cluster
   * @param policy decides which containers start and which are killed on each node
   * @param thrash slowdown by memory that does not fit
   * @param events virtual time
   * @param random seeded random numbers
   * @param checksum receives all events
   * @param observer counts the events
   */
  public Cluster(
      ClusterSettings settings,
      NodePolicy policy,
      ThrashModel thrash,
      EventQueue events,
      RandomStreams random,
      EventChecksum checksum,
      ClusterObserver observer) {
    this.settings = settings;
    this.events = events;
    this.checksum = checksum;
    this.observer = observer;
    this.killsLoseWork = !policy.isOracle();
    this.avoidsNodes = policy.longestWait().isPresent();
    this.manager =
        new VirtualResourceManager(
            settings, random.stream("placement"), this::handle, this::wantsGuaranteed);
    ClusterNodes nodes = settings.nodes();
    Processors shared = new Processors(nodes.size().cores());
    for (int i = 0; i < nodes.count(); i++) {
      Processors processors =
          nodes.sharedProcessors() ? shared : new Processors(nodes.size().cores());
      String stream = "kill delay " + i;
      NodeAgent agent =
          new NodeAgent(
              i,
              this,
              settings,
              listener ->
                  new SimulatedNode(
                      nodes.size(),
                      processors,
                      nodes.queueLimit(),
                      thrash,
                      policy,
                      random.stream(stream),
                      listener));
      agents.add(agent);
      agentById.put(agent.id(), agent);
      manager.addNode(agent.proxy());
    }
    manager.load().sort();
  }

  /** Submits a job now. */
  public void submit(SimulatedJob job) {
    ApplicationId application = ApplicationId.newInstance(1, ++submitted);
    JobMaster master =
        new JobMaster(this, settings, job, ApplicationAttemptId.newInstance(application, 1));
    masters.put(application, master);
    master.submit();
  }

  /** Returns the number of jobs that have neither completed nor failed. */
  public int unfinishedJobs() {
    return masters.size();
  }

  /** Returns the use of all nodes from the start until now. */
  public NodeUsage usage() {
    NodeUsage sum = NodeUsage.NONE;
    for (NodeAgent agent : agents) {
      sum = sum.plus(agent.node().usage(events.nowNanos()));
    }
    return sum;
  }

  /**
   * Checks that no container was lost or counted twice.
   *
   * @throws IllegalStateException if one was
   */
  public void checkInvariants() {
    long running = agents.stream().mapToLong(NodeAgent::containers).sum();
    if (containersStarted != containersEnded + running) {
      throw new IllegalStateException(
          "%d containers started, %d ended and %d run: some are lost"
              .formatted(containersStarted, containersEnded, running));
    }
    if (pendingGuaranteed < 0) {
      throw new IllegalStateException("more was allocated than asked for: " + pendingGuaranteed);
    }
  }

  @Override
  public void close() {
    manager.close();
  }

  EventQueue events() {
    return events;
  }

  VirtualResourceManager manager() {
    return manager;
  }

  /**
   * Wakes the other nodes after a node's demand for shared processors changed, because their speeds
   * change.
   */
  void processorDemandChanged(NodeAgent changed) {
    for (NodeAgent agent : agents) {
      if (agent != changed) {
        events.schedule(events.nowNanos(), EventPhase.WORLD, agent::step);
      }
    }
  }

  NodeAgent agent(NodeId id) {
    return agentById.get(id);
  }

  /** Adds to the number of pending guaranteed containers; negative if requests were withdrawn. */
  void demand(int containers) {
    pendingGuaranteed += containers;
  }

  /** Schedules a heartbeat of every node if guaranteed containers are pending. */
  void planBeatsForDemand() {
    if (wantsGuaranteed()) {
      agents.forEach(NodeAgent::planBeat);
    }
  }

  /** Returns whether the scheduler has a guaranteed container to place. */
  boolean wantsGuaranteed() {
    return pendingGuaranteed > manager.inactiveApplications();
  }

  /** Sorts the nodes at the next full second, as YARN does every second. */
  void planSort() {
    if (!sortPlanned) {
      sortPlanned = true;
      events.schedule(
          (events.nowNanos() / SORT_NANOS + 1) * SORT_NANOS,
          EventPhase.REPORT,
          () -> {
            sortPlanned = false;
            manager.load().sort();
            List<Runnable> waiting = beatsAfterSort;
            beatsAfterSort = new ArrayList<>();
            waiting.forEach(Runnable::run);
          });
    }
  }

  /**
   * Defers a heartbeat of an ApplicationMaster until the nodes are sorted; before that it would
   * receive nothing.
   */
  void beatAfterSort(Runnable beat) {
    beatsAfterSort.add(beat);
  }

  void started(int node, ContainerId container, ExecutionType type) {
    containersStarted++;
    observer.started(type);
    record("started", node, container);
  }

  void ended(
      int node, ContainerId container, NodeListener.End end, String cause, double workDoneNanos) {
    containersEnded++;
    record("ended", node, container);
    checksum.add(end.name());
    if (end == NodeListener.End.KILLED) {
      evicted(node, container);
      JobMaster master = master(container.getApplicationAttemptId());
      if (killsLoseWork || master == null) {
        observer.killed(cause);
        observer.workLost(workDoneNanos);
      } else {
        observer.moved();
        master.continueFrom(container, workDoneNanos);
      }
    } else if (end == NodeListener.End.STOPPED) {
      observer.workLost(workDoneNanos);
    }
  }

  void handedBack(int node, ContainerId container) {
    record("handed back", node, container);
    observer.handedBack();
    evicted(node, container);
  }

  void rejected(int node, ContainerId container) {
    record("rejected", node, container);
    observer.rejected();
    evicted(node, container);
  }

  private void evicted(int node, ContainerId container) {
    JobMaster master = master(container.getApplicationAttemptId());
    if (avoidsNodes && master != null) {
      master.avoid(agents.get(node).id());
    }
  }

  void jobEnded(JobMaster master, boolean succeeded, long submittedNanos) {
    checksum.add(events.nowNanos());
    checksum.add("job over");
    checksum.add(succeeded ? 1 : 0);
    masters.remove(master.application());
    if (succeeded) {
      observer.jobCompleted(master.job(), submittedNanos, events.nowNanos());
    } else {
      observer.jobFailed(master.job(), events.nowNanos());
    }
  }

  private void record(String happening, int node, ContainerId container) {
    checksum.add(events.nowNanos());
    checksum.add(happening);
    checksum.add(node);
    checksum.add(container.getApplicationAttemptId().getApplicationId().getId());
    checksum.add(container.getContainerId());
  }

  private void handle(Event<?> event) {
    if (event instanceof RMAppAttemptContainerFinishedEvent finished) {
      JobMaster master = master(finished.getApplicationAttemptId());
      if (master != null) {
        master.containerFinished(finished.getContainerStatus());
      }
    } else if (event instanceof RMAppAttemptEvent attempt
        && attempt.getType() == RMAppAttemptEventType.CONTAINER_ALLOCATED) {
      pendingGuaranteed--;
      manager.changed();
      master(attempt.getApplicationAttemptId()).containerAllocated();
    } else if (event instanceof RMNodeCleanContainerEvent clean) {
      agent(clean.getNodeId()).clean(clean.getContainerId());
    } else if (event instanceof RMAppEvent app && app.getType() == RMAppEventType.APP_REJECTED) {
      throw new IllegalStateException("the scheduler refused " + app.getDiagnosticMsg());
    }
  }

  private JobMaster master(ApplicationAttemptId attempt) {
    return masters.get(attempt.getApplicationId());
  }
}
