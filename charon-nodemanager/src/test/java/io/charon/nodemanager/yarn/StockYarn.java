/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.lenient;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.AsyncDispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;
import org.apache.hadoop.yarn.server.api.ContainerType;
import org.apache.hadoop.yarn.server.api.records.ContainerQueuingLimit;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.ContainerManagerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.UpdateContainerTokenEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.monitor.ContainersMonitor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ContainerScheduler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ContainerSchedulerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ContainerSchedulerEventType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.UpdateContainerSchedulerEvent;
import org.apache.hadoop.yarn.server.nodemanager.metrics.NodeManagerMetrics;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMNullStateStoreService;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMStateStoreService.RecoveredContainerState;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMStateStoreService.RecoveredContainerStatus;

/**
 * The real ContainerScheduler of the Hadoop on the classpath in a simulated NodeManager: containers
 * only record what is done to them, and the dispatcher delivers at once, except what a {@link
 * #transition} causes.
 */
final class StockYarn {
  static final int NODE_MB = 1000;

  private final ConcurrentMap<ContainerId, Container> containers = new ConcurrentHashMap<>();
  private final Map<String, String> kills = Collections.synchronizedMap(new LinkedHashMap<>());
  private final List<String> launches = Collections.synchronizedList(new ArrayList<>());
  private final Context context = mock(Context.class);
  private final AsyncDispatcher dispatcher = mock(AsyncDispatcher.class);
  private final ContainerManagerImpl manager = mock(ContainerManagerImpl.class);
  private final Map<Class<?>, EventHandler<Event<?>>> others = new HashMap<>();
  private final List<Enum<?>> unhandled = new ArrayList<>();
  private final Queue<Event<?>> later = new ArrayDeque<>();
  private boolean inTransition;
  private final ContainerScheduler scheduler;

  /** Creates YARN's own scheduler. */
  StockYarn(int queueLimit) {
    this(queueLimit, ContainerScheduler::new);
  }

  /** Creates a container scheduler. */
  interface SchedulerMaker {
    ContainerScheduler make(
        Context context, AsyncDispatcher dispatcher, NodeManagerMetrics metrics);
  }

  StockYarn(int queueLimit, SchedulerMaker maker) {
    Configuration configuration = new Configuration(false);
    configuration.setInt(
        YarnConfiguration.NM_OPPORTUNISTIC_CONTAINERS_MAX_QUEUE_LENGTH, queueLimit);
    ContainersMonitor monitor = monitor();
    when(context.getConf()).thenReturn(configuration);
    when(context.getNMStateStore()).thenReturn(new NMNullStateStoreService());
    when(context.getContainers()).thenReturn(containers);
    when(context.getContainerManager()).thenReturn(manager);
    when(manager.getContainersMonitor()).thenReturn(monitor);
    scheduler = maker.make(context, dispatcher, mock(NodeManagerMetrics.class));
    scheduler.init(configuration);
    when(manager.getContainerScheduler()).thenReturn(scheduler);
    EventHandler<Event<?>> handler = this::dispatch;
    doAnswer(invocation -> handler).when(dispatcher).getEventHandler();
    doAnswer(invocation -> others.put(invocation.getArgument(0), invocation.getArgument(1)))
        .when(dispatcher)
        .register(any(), any());
  }

  private void dispatch(Event<?> event) {
    EventHandler<Event<?>> other = others.get(event.getType().getDeclaringClass());
    if (inTransition) {
      later.add(event);
    } else if (event instanceof ContainerSchedulerEvent schedulers) {
      scheduler.handle(schedulers);
    } else if (other != null) {
      other.handle(event);
    } else {
      unhandled.add(event.getType());
    }
  }

  /** Delivers an event to a real container; what that causes waits in the dispatcher's queue. */
  void transition(Container container, ContainerEvent event) {
    inTransition = true;
    container.handle(event);
    inTransition = false;
  }

  /** Delivers what waits in the dispatcher's queue. */
  void deliver() {
    while (!later.isEmpty()) {
      dispatch(later.remove());
    }
  }

  /** Returns the types of the events for parts that do not exist here. */
  List<Enum<?>> unhandled() {
    return unhandled;
  }

  private static ContainersMonitor monitor() {
    long nodeBytes = (long) NODE_MB << 20;
    ContainersMonitor monitor = mock(ContainersMonitor.class);
    when(monitor.getPmemAllocatedForContainers()).thenReturn(nodeBytes);
    when(monitor.getVmemAllocatedForContainers()).thenReturn(nodeBytes);
    when(monitor.getVCoresAllocatedForContainers()).thenReturn(100L);
    when(monitor.getVmemRatio()).thenReturn(1f);
    doAnswer(
            invocation -> {
              ResourceUtilization utilization = invocation.getArgument(0);
              utilization.subtractFrom(NODE_MB, NODE_MB, 1f);
              return null;
            })
        .when(monitor)
        .subtractNodeResourcesFromResourceUtilization(any());
    return monitor;
  }

  ContainerScheduler scheduler() {
    return scheduler;
  }

  AsyncDispatcher dispatcher() {
    return dispatcher;
  }

  ContainerManagerImpl manager() {
    return manager;
  }

  Context context() {
    return context;
  }

  /** Returns the ids of the started containers in the order of their starts. */
  List<String> launches() {
    return launches;
  }

  /** Returns the diagnostics of the killed containers. */
  Map<String, String> kills() {
    return kills;
  }

  Container guaranteed(int number, int memoryMb) {
    return container(number, memoryMb, ExecutionType.GUARANTEED, ContainerType.TASK);
  }

  Container opportunistic(int number, int memoryMb) {
    return container(number, memoryMb, ExecutionType.OPPORTUNISTIC, ContainerType.TASK);
  }

  /** Returns a best-effort container of another application. */
  Container opportunisticOf(int application, int number, int memoryMb) {
    return container(
        id(application, number), memoryMb, ExecutionType.OPPORTUNISTIC, ContainerType.TASK);
  }

  Container container(int number, int memoryMb, ExecutionType type, ContainerType role) {
    return container(id(number), memoryMb, type, role);
  }

  private Container container(
      ContainerId id, int memoryMb, ExecutionType type, ContainerType role) {
    ContainerTokenIdentifier token = token(id, memoryMb, type, role);
    Container container = mock(Container.class);
    lenient().when(container.getContainerId()).thenReturn(token.getContainerID());
    lenient().when(container.getUser()).thenReturn("alice");
    lenient().when(container.getResource()).thenReturn(token.getResource());
    lenient().when(container.getContainerTokenIdentifier()).thenReturn(token);
    lenient().when(container.getContainerState()).thenReturn(ContainerState.SCHEDULED);
    doAnswer(invocation -> launches.add(token.getContainerID().toString()))
        .when(container)
        .sendLaunchEvent();
    doAnswer(invocation -> kills.put(token.getContainerID().toString(), invocation.getArgument(1)))
        .when(container)
        .sendKillEvent(anyInt(), anyString());
    containers.put(token.getContainerID(), container);
    return container;
  }

  private static ContainerTokenIdentifier token(
      ContainerId id, int memoryMb, ExecutionType type, ContainerType role) {
    return new ContainerTokenIdentifier(
        id,
        0,
        "host:1",
        "alice",
        Resource.newInstance(memoryMb, 1),
        0,
        0,
        0,
        Priority.newInstance(20),
        0,
        null,
        null,
        role,
        type);
  }

  static ContainerId id(int number) {
    return id(1, number);
  }

  static ContainerId id(int application, int number) {
    return ContainerId.newContainerId(
        ApplicationAttemptId.newInstance(
            ApplicationId.newInstance(1_700_000_000_000L, application), 1),
        number);
  }

  void schedule(Container container) {
    send(container, ContainerSchedulerEventType.SCHEDULE_CONTAINER);
  }

  /** Completes a container successfully, whether it was running or waiting. */
  void complete(Container container) {
    complete(container, ContainerExitStatus.SUCCESS);
  }

  /** Ends a container, whether it was running or waiting. */
  void complete(Container container, int exitStatus) {
    ContainerStatus status =
        ContainerStatus.newInstance(
            container.getContainerId(),
            org.apache.hadoop.yarn.api.records.ContainerState.COMPLETE,
            "",
            exitStatus);
    when(container.getContainerState()).thenReturn(ContainerState.DONE);
    when(container.cloneAndGetContainerStatus()).thenReturn(status);
    send(container, ContainerSchedulerEventType.CONTAINER_COMPLETED);
  }

  private void send(Container container, ContainerSchedulerEventType type) {
    scheduler.handle(new ContainerSchedulerEvent(container, type));
  }

  /** Sends the ResourceManager's order for a shorter queue. */
  void limitQueue(int length) {
    ContainerQueuingLimit limit = ContainerQueuingLimit.newInstance();
    limit.setMaxQueueLength(length);
    scheduler.updateQueuingLimit(limit);
  }

  /** Promotes a best-effort container to guaranteed, as the ResourceManager does. */
  void promote(Container container) {
    ContainerTokenIdentifier before = container.getContainerTokenIdentifier();
    ContainerTokenIdentifier after =
        token(
            container.getContainerId(),
            (int) container.getResource().getMemorySize(),
            ExecutionType.GUARANTEED,
            ContainerType.TASK);
    when(container.getContainerTokenIdentifier()).thenReturn(after);
    scheduler.handle(
        new UpdateContainerSchedulerEvent(
            container,
            before,
            new UpdateContainerTokenEvent(container.getContainerId(), after, false, true, true)));
  }

  /** Gives a container another size, as the ResourceManager does. */
  void resize(Container container, int memoryMb) {
    ContainerTokenIdentifier before = container.getContainerTokenIdentifier();
    ContainerTokenIdentifier after =
        token(
            container.getContainerId(),
            memoryMb,
            before.getExecutionType(),
            before.getContainerType());
    boolean larger = memoryMb > before.getResource().getMemorySize();
    when(container.getContainerTokenIdentifier()).thenReturn(after);
    when(container.getResource()).thenReturn(after.getResource());
    scheduler.handle(
        new UpdateContainerSchedulerEvent(
            container,
            before,
            new UpdateContainerTokenEvent(container.getContainerId(), after, true, false, larger)));
  }

  /** Recovers a container, as a restarted NodeManager does from its state store. */
  void recover(Container container, RecoveredContainerStatus status) {
    RecoveredContainerState state = mock(RecoveredContainerState.class);
    when(state.getStatus()).thenReturn(status);
    scheduler.recoverActiveContainer(container, state);
  }
}
