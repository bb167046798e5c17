/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.stop;

import io.charon.core.mechanism.Basis;
import io.charon.core.stop.StopAction;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerListener;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.mechanisms.freeze.Phase;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.sensor.NodeWatch;
import io.charon.web.stop.StopFile;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Best-effort on this node is stopped, or goes on, as an operator orders: on the node by its
 * overrides file, or for the cluster. It has a thread of its own, so that no slow tick delays it.
 */
public final class NodeStop implements ContainerListener, AutoCloseable {
  /** Its name in the audit, and as that of a killer. */
  static final String NAME = "stop";

  /** Between two looks at the orders (ours: an order is to hold within a second). */
  private static final Duration LOOKS = Duration.ofMillis(250);

  private static final Duration LAST_LOOK = Duration.ofSeconds(3);

  private final LaunchGate gate;
  private final BooleanSupplier decides;
  private final StoppedContainers containers;
  private final ActionExecutor executor;
  private final Runnable resumed;
  private final NodeWatch watch = new NodeWatch("charon-stop", this::look, () -> LOOKS);
  private volatile StopFile file = new StopFile(Optional.empty(), "", Map.of());
  private volatile Optional<ClusterOrders> cluster = Optional.empty();
  private volatile StopState state = StopState.notStopped();
  private volatile boolean closed;
  private String complaint = "";

  /**
   * Nothing is stopped yet.
   *
   * @param gate decides about launches, in the modes in which Charon does; told in every mode, so
   *     that an order holds when the mode changes
   * @param decides whether it does now
   * @param containers freezes and kills what runs
   * @param executor leaves a line of every order
   * @param resumed called when launches may go on; must not block
   */
  NodeStop(
      LaunchGate gate,
      BooleanSupplier decides,
      StoppedContainers containers,
      ActionExecutor executor,
      Runnable resumed) {
    this.gate = gate;
    this.decides = decides;
    this.containers = containers;
    this.executor = executor;
    this.resumed = resumed;
  }

  /**
   * A stop of a real node; it does not look yet.
   *
   * @param gate decides about launches, in the modes in which Charon does; told in every mode, so
   *     that an order holds when the mode changes
   * @param decides whether it does now
   * @param tasks ids of the best-effort containers that run, without ApplicationMasters
   * @param phases where a container is in YARN's eyes; ENDING also of one that somebody killed
   * @param executor freezes and kills
   * @param resumed called when launches may go on; must not block
   */
  public static NodeStop of(
      LaunchGate gate,
      BooleanSupplier decides,
      Supplier<List<String>> tasks,
      Function<String, Phase> phases,
      ActionExecutor executor,
      Runnable resumed) {
    return new NodeStop(
        gate, decides, new StoppedContainers(tasks, phases, executor), executor, resumed);
  }

  /** Whose orders hold on this node; they do when this returns, before any launch. */
  public void follow(StopFile ownOrders) {
    file = ownOrders;
    hold();
  }

  /** Whose orders hold for the cluster; they do when this returns. Started and closed with this. */
  public void followCluster(ClusterOrders orders) {
    cluster = Optional.of(orders);
    hold();
  }

  public void start() {
    watch.start();
    cluster.ifPresent(ClusterOrders::start);
  }

  /** One look at the orders; visible for tests. */
  void look() {
    StopOrder order = hold();
    if (!closed) {
      containers.follow(order);
    }
  }

  private synchronized StopOrder hold() {
    StopFile.State own = file.look();
    StopOrder ofCluster = cluster.map(ClusterOrders::order).orElseGet(StopOrder::never);
    StopOrder order = own.order().harsher(ofCluster);
    boolean fromCluster = !order.equals(own.order());
    boolean news = gate.stop(order.stops());
    StopOrder before = state.order();
    state =
        new StopState(
            order,
            fromCluster,
            own.readMillis(),
            own.problem(),
            decides.getAsBoolean()
                ? containers.unavailable(order)
                : Optional.of("YARN itself decides launches on this node, in this mode"),
            containers.frozen(),
            Optional.empty());
    if (order.action() != before.action() || (order.stops() && !order.equals(before))) {
      announce(order, fromCluster);
    }
    complain(own.problem().orElse(""));
    if (news && !order.stops() && decides.getAsBoolean()) {
      resumed.run();
    }
    return order;
  }

  private void announce(StopOrder order, boolean fromCluster) {
    tell(
        order.action() == StopAction.NONE ? "resume" : order.action().label(),
        (fromCluster ? "the cluster's order" : "the node's order") + order.origin(),
        order.stops() ? "applied: launches stop" : "applied: launches go on");
  }

  private void complain(String problem) {
    if (!problem.equals(complaint)) {
      complaint = problem;
      if (!problem.isEmpty()) {
        tell("keep", problem, "failed: the last order holds");
      }
    }
  }

  private void tell(String verb, String reason, String result) {
    executor.tell(NAME, verb, new Basis("the node", Map.of(), 0, verb, reason), result);
  }

  /** Whether a stop keeps a container frozen, so that nobody else may let it go on. */
  public boolean isFrozen(String containerId) {
    return containers.isFrozen(containerId);
  }

  @Override
  public void changed(ContainerInfo container, boolean placed) {
    containers.release(container.containerId());
  }

  @Override
  public void signalled(String containerId, boolean placed) {
    containers.release(containerId);
  }

  @Override
  public void stopped(String containerId, boolean placed) {
    containers.release(containerId);
  }

  /** What people see. */
  public StopState state() {
    return state.with(cluster.map(ClusterOrders::state));
  }

  /** Whoever was frozen goes on: nobody would be left to thaw it. */
  @Override
  public void close() {
    closed = true;
    cluster.ifPresent(ClusterOrders::close);
    watch.close();
    watch.awaitEnd(LAST_LOOK);
    containers.follow(StopOrder.never());
  }
}
