/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.api.protocolrecords.RemoteNode;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.ahs.RMApplicationHistoryWriter;
import org.apache.hadoop.yarn.server.resourcemanager.metrics.NoOpSystemMetricPublisher;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.AllocationExpirationInfo;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.ContainerAllocationExpirer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.constraint.AllocationTagsManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.constraint.MemoryPlacementConstraintManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.distributed.CentralizedOpportunisticContainerAllocator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.security.NMTokenSecretManagerInRM;
import org.apache.hadoop.yarn.server.resourcemanager.security.RMContainerTokenSecretManager;
import org.apache.hadoop.yarn.server.scheduler.DistributedOpportunisticContainerAllocator;
import org.apache.hadoop.yarn.server.scheduler.OpportunisticContainerAllocator;
import org.apache.hadoop.yarn.server.scheduler.OpportunisticContainerContext;
import org.apache.hadoop.yarn.util.Records;

/**
 * The deciding parts of a ResourceManager without its threads and servers: the real
 * CapacityScheduler and the real opportunistic allocator, called directly. Everything that depends
 * on the wall clock is off: asynchronous scheduling, liveliness monitors, deletion of queues.
 */
final class VirtualResourceManager implements AutoCloseable {
  private static final long CLUSTER_TIMESTAMP = 1;

  private final RunToCompletionDispatcher dispatcher;
  private final RMContextImpl context;
  private final CapacityScheduler scheduler;
  private final RMContainerTokenSecretManager containerTokens;
  private final NMTokenSecretManagerInRM nodeTokens;
  private final RMNodeLabelsManager labels;
  private final List<AbstractLeafQueue> queues;
  private final LoadMonitor load;
  private final OpportunisticContainerAllocator opportunistic;
  private final boolean listsNodes;
  private long changes;

  /**
   * Starts the scheduler.
   *
   * @param settings settings of the cluster
   * @param random draws among equal nodes
   * @param events receives the events that the scheduler sends to other components
   * @param wantsGuaranteed whether any guaranteed container is pending; if not, a heartbeat only
   *     reports, because most of its cost is the search of all applications for a request
   */
  VirtualResourceManager(
      ClusterSettings settings,
      Random random,
      Consumer<Event<?>> events,
      BooleanSupplier wantsGuaranteed) {
    // Otherwise the metrics of several schedulers in one process would conflict by name.
    DefaultMetricsSystem.setMiniClusterMode(true);
    Configuration conf = SchedulerConfiguration.of(settings);
    dispatcher = new RunToCompletionDispatcher(event -> events.accept(event));
    scheduler = new ExactSizesScheduler(settings.nodes().size());
    containerTokens = new RMContainerTokenSecretManager(conf);
    containerTokens.rollMasterKey();
    nodeTokens = new NMTokenSecretManagerInRM(conf);
    nodeTokens.rollMasterKey();
    context =
        new RMContextImpl(
            dispatcher,
            new NoExpiry(dispatcher),
            null,
            null,
            null,
            null,
            containerTokens,
            nodeTokens,
            null,
            scheduler) {
          @Override
          public boolean isSchedulerReadyForAllocatingContainers() {
            return wantsGuaranteed.getAsBoolean();
          }
        };
    // Only with recovery does YARN ask whether the scheduler is ready; nothing is ever recovered
    // here.
    context.setWorkPreservingRecoveryEnabled(true);
    context.setYarnConfiguration(conf);
    context.setSystemMetricsPublisher(new NoOpSystemMetricPublisher());
    context.setRMApplicationHistoryWriter(new NoHistory());
    context.setAllocationTagsManager(new AllocationTagsManager(context));
    context.setPlacementConstraintManager(new MemoryPlacementConstraintManager());
    labels = new RMNodeLabelsManager();
    labels.init(conf);
    labels.start();
    context.setNodeLabelManager(labels);
    scheduler.setConf(conf);
    scheduler.setRMContext(context);
    scheduler.init(conf);
    scheduler.start();
    queues =
        SchedulerConfiguration.QUEUES.stream()
            .map(queue -> (AbstractLeafQueue) scheduler.getQueue(queue))
            .toList();
    for (AbstractLeafQueue queue : queues) {
      QueueOrders.set(queue, new WaitingApplications(), new DemandingApplications());
    }
    load =
        new LoadMonitor(
            YarnConfiguration.DEFAULT_OPP_CONTAINER_ALLOCATION_NODES_NUMBER_USED,
            random,
            settings.allocation().fullQueues());
    listsNodes = settings.allocation().placement() == Placement.DISTRIBUTED;
    opportunistic =
        listsNodes
            ? new DistributedOpportunisticContainerAllocator(
                containerTokens,
                YarnConfiguration.DEFAULT_OPP_CONTAINER_MAX_ALLOCATIONS_PER_AM_HEARTBEAT)
            : new CentralizedOpportunisticContainerAllocator(
                containerTokens,
                YarnConfiguration.DEFAULT_OPP_CONTAINER_MAX_ALLOCATIONS_PER_AM_HEARTBEAT,
                load);
    dispatcher.drain();
  }

  /** Returns the context that connects the parts of the scheduler. */
  RMContext context() {
    return context;
  }

  /**
   * Returns the number of changes that could affect a decision of the scheduler; while it is the
   * same, so are the decisions.
   */
  long changes() {
    return changes;
  }

  /** Returns the monitor that orders nodes by load. */
  LoadMonitor load() {
    return load;
  }

  void addNode(RMNode node) {
    handle(new NodeAddedSchedulerEvent(node));
    load.addNode(List.of(), node);
    load.updateNode(node);
    changes++;
  }

  /** Processes a heartbeat of a node. */
  void updateNode(RMNode node) {
    handle(new NodeUpdateSchedulerEvent(node));
    load.updateNode(node);
  }

  /** Records a change that could affect a decision of the scheduler. */
  void changed() {
    changes++;
  }

  /** Adds an application and its first attempt to the scheduler. */
  void submit(
      ApplicationAttemptId attempt,
      String queue,
      String user,
      ResourceRequest master,
      Supplier<Container> masterContainer) {
    ApplicationId application = attempt.getApplicationId();
    ApplicationSubmissionContext submission = Records.newRecord(ApplicationSubmissionContext.class);
    submission.setApplicationId(application);
    submission.setQueue(queue);
    submission.setAMContainerResourceRequests(List.of(master));
    RMAppAttemptMetrics metrics = new RMAppAttemptMetrics(attempt, context);
    RMAppAttempt current =
        new Answers(attempt.toString())
            .with("getAppAttemptId", () -> attempt)
            .with("getMasterContainer", masterContainer)
            .with("getRMAppAttemptMetrics", () -> metrics)
            .with("updateAMLaunchDiagnostics", () -> null)
            .as(RMAppAttempt.class);
    RMApp app =
        new Answers(application.toString())
            .with("getApplicationId", () -> application)
            .with("getApplicationSubmissionContext", () -> submission)
            .with("getAMResourceRequests", () -> List.of(master))
            .with("getCurrentAppAttempt", () -> current)
            .with("getApplicationSchedulingEnvs", Map::of)
            .with("getUser", () -> user)
            .with("getQueue", () -> queue)
            .as(RMApp.class);
    context.getRMApps().put(application, app);
    handle(new AppAddedSchedulerEvent(application, queue, user));
    handle(new AppAttemptAddedSchedulerEvent(attempt, false));
    changes++;
  }

  /** Registers an ApplicationMaster, which may request opportunistic containers afterwards. */
  void register(ApplicationAttemptId attempt) {
    SchedulerApplicationAttempt known = scheduler.getApplicationAttempt(attempt);
    OpportunisticContainerContext opportunisticContext = new OpportunisticContainerContext();
    opportunisticContext.setContainerIdGenerator(
        new OpportunisticContainerAllocator.ContainerIdGenerator() {
          @Override
          public long generateContainerId() {
            return known.getAppSchedulingInfo().getNewContainerId();
          }
        });
    opportunisticContext.updateAllocationParams(
        scheduler.getMinimumResourceCapability(),
        scheduler.getMaximumResourceCapability(),
        scheduler.getMinimumResourceCapability(),
        YarnConfiguration.DEFAULT_RM_CONTAINER_ALLOC_EXPIRY_INTERVAL_MS);
    known.setOpportunisticContainerContext(opportunisticContext);
    updateNodeList(opportunisticContext);
  }

  /**
   * Gives an application the nodes with the least known load, from which a distributed placement
   * chooses.
   */
  private void updateNodeList(OpportunisticContainerContext application) {
    if (listsNodes) {
      application.updateNodeList(
          load
              .selectLeastLoadedNodes(
                  YarnConfiguration.DEFAULT_OPP_CONTAINER_ALLOCATION_NODES_NUMBER_USED)
              .stream()
              .map(node -> RemoteNode.newInstance(node, node.getHost(), NodeAgent.RACK))
              .toList());
    }
  }

  /** Requests guaranteed containers and returns those allocated since the last call. */
  List<Container> allocateGuaranteed(ApplicationAttemptId attempt, List<ResourceRequest> asks) {
    if (!asks.isEmpty()) {
      changes++;
    }
    List<Container> allocated =
        scheduler
            .allocate(
                attempt,
                asks,
                Collections.emptyList(),
                Collections.emptyList(),
                Collections.emptyList(),
                Collections.emptyList(),
                new ContainerUpdates())
            .getContainers();
    dispatcher.drain();
    return allocated;
  }

  /** Marks a container as that of an ApplicationMaster, as YARN does when it fetches it. */
  void markMaster(Container container) {
    ((RMContainerImpl) scheduler.getRMContainer(container.getId())).setAMContainer(true);
  }

  /**
   * Requests opportunistic containers, and returns those allocated for these and earlier requests.
   * Follows YARN's OpportunisticContainerAllocatorAMService, no part of which can be called
   * separately, or with a distributed placement YARN's DistributedScheduler, with the nodes that
   * the last response listed.
   *
   * @param avoided hosts that get none of them
   */
  List<Container> allocateOpportunistic(
      ApplicationAttemptId attempt, List<ResourceRequest> asks, Set<String> avoided) {
    SchedulerApplicationAttempt known = scheduler.getApplicationAttempt(attempt);
    Set<String> blacklist = known.getOpportunisticContainerContext().getBlacklist();
    blacklist.addAll(avoided);
    List<Container> allocated;
    try {
      allocated =
          opportunistic.allocateContainers(
              null,
              asks,
              attempt,
              known.getOpportunisticContainerContext(),
              CLUSTER_TIMESTAMP,
              known.getUser());
    } catch (YarnException e) {
      throw new IllegalStateException("the opportunistic allocator failed for " + attempt, e);
    }
    blacklist.removeAll(avoided);
    for (Container container : allocated) {
      RMContainer tracked =
          SchedulerUtils.createOpportunisticRmContainer(context, container, false);
      tracked.handle(new RMContainerEvent(container.getId(), RMContainerEventType.ACQUIRED));
    }
    dispatcher.drain();
    updateNodeList(known.getOpportunisticContainerContext());
    return allocated;
  }

  /**
   * Returns the number of applications whose ApplicationMasters wait because the masters' share of
   * their queue is used up. The scheduler does not try to place these.
   */
  long inactiveApplications() {
    long inactive = 0;
    for (AbstractLeafQueue queue : queues) {
      inactive += queue.getNumPendingApplications();
    }
    return inactive;
  }

  /** Removes an application that has ended; its remaining containers are cleaned up. */
  void finish(ApplicationAttemptId attempt, boolean succeeded) {
    handle(
        new AppAttemptRemovedSchedulerEvent(
            attempt, succeeded ? RMAppAttemptState.FINISHED : RMAppAttemptState.FAILED, false));
    handle(
        new AppRemovedSchedulerEvent(
            attempt.getApplicationId(), succeeded ? RMAppState.FINISHED : RMAppState.FAILED));
    context.getRMApps().remove(attempt.getApplicationId());
    changes++;
  }

  @Override
  public void close() {
    load.stop();
    scheduler.stop();
    labels.stop();
    // Both secret managers run timers, which must be stopped.
    containerTokens.stop();
    nodeTokens.stop();
  }

  private void handle(SchedulerEvent event) {
    scheduler.handle(event);
    dispatcher.drain();
  }

  /** Never expires a container: every container is launched in time. */
  private static final class NoExpiry extends ContainerAllocationExpirer {
    NoExpiry(RunToCompletionDispatcher dispatcher) {
      super(dispatcher);
    }

    @Override
    public void register(AllocationExpirationInfo container) {}

    @Override
    public void unregister(AllocationExpirationInfo container) {}
  }

  /** Discards the application history, which a simulation does not use. */
  private static final class NoHistory extends RMApplicationHistoryWriter {
    @Override
    public void containerStarted(RMContainer container) {}

    @Override
    public void containerFinished(RMContainer container) {}
  }
}
