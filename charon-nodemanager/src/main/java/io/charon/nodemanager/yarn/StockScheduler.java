/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import java.lang.reflect.Field;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ContainerScheduler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ContainerSchedulerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ContainerSchedulerEventType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.scheduler.ResourceUtilizationTracker;

/**
 * Gives access to YARN's ContainerScheduler, to put Charon between it and its queues. YARN has no
 * extension point here: three private fields, the same in Hadoop 3.4.2 and 3.5.0, are set once
 * before the first container.
 */
final class StockScheduler {
  private static final String TRACKER = "utilizationTracker";
  private static final String QUEUE = "queuedOpportunisticContainers";
  private static final String PRODUCTION_QUEUE = "queuedGuaranteedContainers";

  private final ContainerScheduler scheduler;
  private final Dispatcher dispatcher;

  StockScheduler(ContainerScheduler scheduler, Dispatcher dispatcher) {
    this.scheduler = scheduler;
    this.dispatcher = dispatcher;
  }

  /**
   * Returns the tracker that YARN asks about resources.
   *
   * @throws ReflectiveOperationException if this Hadoop's field is different
   */
  ResourceUtilizationTracker tracker() throws ReflectiveOperationException {
    Field field = ContainerScheduler.class.getDeclaredField(TRACKER);
    field.setAccessible(true);
    if (field.get(scheduler) instanceof ResourceUtilizationTracker tracker) {
      return tracker;
    }
    throw new NoSuchFieldException(field + " holds an object of another type");
  }

  /**
   * Replaces YARN's tracker and queues.
   *
   * @throws ReflectiveOperationException if this Hadoop's fields are different; then nothing is
   *     changed
   */
  void takeOver(
      ResourceUtilizationTracker tracker, BestEffortQueue queue, ProductionQueue production)
      throws ReflectiveOperationException {
    Field trackerField = field(TRACKER, tracker);
    Field queueField = field(QUEUE, queue);
    Field productionField = field(PRODUCTION_QUEUE, production);
    // The final fields come first, because a JDK may refuse to set them.
    queueField.set(scheduler, queue);
    productionField.set(scheduler, production);
    trackerField.set(scheduler, tracker);
  }

  /** Makes the scheduler process its queue again, on its own thread. */
  @SuppressWarnings("unchecked")
  void processQueue() {
    dispatcher
        .getEventHandler()
        .handle(new ContainerSchedulerEvent(null, ContainerSchedulerEventType.RECOVERY_COMPLETED));
  }

  private static Field field(String name, Object value) throws ReflectiveOperationException {
    Field field = ContainerScheduler.class.getDeclaredField(name);
    if (!field.getType().isInstance(value)) {
      throw new NoSuchFieldException(
          ContainerScheduler.class.getName() + "." + name + " is a " + field.getType().getName());
    }
    field.setAccessible(true);
    return field;
  }
}
