/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import java.lang.reflect.Field;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.OrderingPolicy;

/**
 * Sets the order in which a queue of the scheduler iterates over its applications. YARN has no
 * setting for waiting applications.
 */
final class QueueOrders {
  private QueueOrders() {}

  /**
   * Sets both orders of a queue.
   *
   * @param queue queue without applications
   * @param waiting order of the applications whose ApplicationMasters wait for room
   * @param active order of the other applications
   * @throws IllegalStateException if the queues of this Hadoop version lack the fields
   */
  static void set(
      AbstractLeafQueue queue,
      OrderingPolicy<FiCaSchedulerApp> waiting,
      OrderingPolicy<FiCaSchedulerApp> active) {
    set(queue, "pendingOrderingPolicy", waiting);
    set(queue, "orderingPolicy", active);
  }

  private static void set(
      AbstractLeafQueue queue, String name, OrderingPolicy<FiCaSchedulerApp> order) {
    try {
      Field field = AbstractLeafQueue.class.getDeclaredField(name);
      field.setAccessible(true);
      field.set(queue, order);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "this Hadoop has no " + AbstractLeafQueue.class.getName() + "." + name, e);
    }
  }
}
