/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.stop;

import io.charon.core.mechanism.Action.Basis;
import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.stop.StopAction;
import io.charon.core.stop.StopKeys;
import io.charon.core.stop.StopOrder;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerListener;
import io.charon.nodemanager.container.Phase;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.LaunchControl;
import io.charon.nodemanager.sensor.NodeWatch;
import io.charon.web.stop.StopFile;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Stops and resumes best-effort on this node as an operator orders, for the node by its overrides
 * file or for the cluster. It has its own thread, so that a slow tick does not delay an order.
 */
public final class NodeStop implements ContainerListener, AutoCloseable {
  /** The name of this mechanism in the audit, and of the killer. */
  static final String NAME = "stop";

  /** Interval of checking the orders; an order has to take effect within a second (our choice). */
  private static final Duration SAMPLE_INTERVAL = Duration.ofMillis(250);

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  private final LaunchControl launches;
  private final BooleanSupplier decides;
  private final StoppedContainers containers;
  private final ActionExecutor executor;
  private final Runnable resumed;
  private final NodeWatch watch =
      new NodeWatch("charon-stop", this::checkOrders, () -> SAMPLE_INTERVAL);
  private volatile StopFile file = new StopFile(Optional.empty(), StopKeys.NODE, Map.of());
  private volatile Optional<ClusterOrders> cluster = Optional.empty();
  private volatile StopState state = StopState.notStopped();
  private volatile boolean closed;
  private String complaint = "";

  /**
   * Creates an instance in which nothing is stopped.
   *
   * @param launches decides about launches, in the modes in which Charon does; receives orders in
   *     every mode, so that an order holds when the mode changes
   * @param decides whether the gate decides about launches now
   * @param containers freezes and kills running containers
   * @param executor records every order in the audit
   * @param resumed called when launches are allowed again; must not block
   */
  NodeStop(
      LaunchControl launches,
      BooleanSupplier decides,
      StoppedContainers containers,
      ActionExecutor executor,
      Runnable resumed) {
    this.launches = launches;
    this.decides = decides;
    this.containers = containers;
    this.executor = executor;
    this.resumed = resumed;
  }

  /**
   * Returns the stop of a real node; it does not check orders yet.
   *
   * @param launches decides about launches, in the modes in which Charon does; receives orders in
   *     every mode, so that an order holds when the mode changes
   * @param decides whether the gate decides about launches now
   * @param tasks ids of the running best-effort containers, without ApplicationMasters
   * @param phases phase of a container according to YARN; ENDING also if it was killed
   * @param executor freezes and kills
   * @param resumed called when launches are allowed again; must not block
   * @param nanoClock monotonic nanoseconds
   */
  public static NodeStop of(
      LaunchControl launches,
      BooleanSupplier decides,
      Supplier<List<String>> tasks,
      Function<String, Phase> phases,
      ActionExecutor executor,
      Runnable resumed,
      LongSupplier nanoClock) {
    return new NodeStop(
        launches,
        decides,
        new StoppedContainers(tasks, phases, executor, nanoClock),
        executor,
        resumed);
  }

  /**
   * Sets the file of the node's orders. Its order holds when this method returns, before any
   * launch.
   */
  public void follow(StopFile ownOrders) {
    file = ownOrders;
    hold();
  }

  /**
   * Sets the source of the cluster's orders, which is started and closed with this object. Its
   * order holds when this method returns.
   */
  public void followCluster(ClusterOrders orders) {
    cluster = Optional.of(orders);
    hold();
  }

  public void start() {
    watch.start();
    cluster.ifPresent(ClusterOrders::start);
  }

  /** Checks the orders once and carries them out; visible for tests. */
  void checkOrders() {
    StopOrder order = hold();
    if (!closed) {
      containers.follow(order);
    }
  }

  private synchronized StopOrder hold() {
    StopFile.State own = file.check();
    StopOrder ofCluster = cluster.map(ClusterOrders::order).orElseGet(StopOrder::never);
    StopOrder order = own.order().harsher(ofCluster);
    boolean fromCluster = !order.equals(own.order());
    boolean news = launches.hold(LaunchVerdict.Reason.STOPPED, order.stops());
    StopOrder before = state.order();
    state =
        new StopState(
            order,
            fromCluster,
            own.readMillis(),
            own.problem(),
            decides.getAsBoolean()
                ? containers.unavailable(order)
                : Optional.of("stock YARN decides launches on this node in this mode"),
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
    audit(
        order.action() == StopAction.NONE ? "resume" : order.action().label(),
        (fromCluster ? "the cluster's order" : "the node's order") + order.origin(),
        order.stops() ? "applied: launches stop" : "applied: launches are allowed");
  }

  private void complain(String problem) {
    if (!problem.equals(complaint)) {
      complaint = problem;
      if (!problem.isEmpty()) {
        audit("keep", problem, "failed: the last order remains in force");
      }
    }
  }

  private void audit(String verb, String reason, String result) {
    executor.audit(NAME, verb, new Basis("the node", Map.of(), 0, verb, reason), result);
  }

  /** Returns whether a stop keeps a container frozen, so that no other component may thaw it. */
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

  /** Returns the state for status pages. */
  public StopState state() {
    return state.with(cluster.map(ClusterOrders::state));
  }

  /** Stops checking orders, and thaws all containers that were frozen here. */
  @Override
  public void close() {
    closed = true;
    cluster.ifPresent(ClusterOrders::close);
    watch.close();
    watch.awaitEnd(CLOSE_TIMEOUT);
    containers.follow(StopOrder.never());
  }
}
