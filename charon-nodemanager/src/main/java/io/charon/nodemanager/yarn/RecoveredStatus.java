/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import java.lang.reflect.Field;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMStateStoreService.RecoveredContainerStatus;

/**
 * Gives access to what YARN's state store says of a container from before a restart: a private
 * field of it, the same in Hadoop 3.4.2 and 3.5.0.
 */
final class RecoveredStatus {
  private static final String STATUS = "recoveredStatus";

  private final Field field;

  /**
   * Finds the field.
   *
   * @throws NoSuchFieldException if this Hadoop's containers are different
   */
  RecoveredStatus() throws NoSuchFieldException {
    field = ContainerImpl.class.getDeclaredField(STATUS);
    if (field.getType() != RecoveredContainerStatus.class) {
      throw new NoSuchFieldException(field + " is of another type");
    }
    field.setAccessible(true);
  }

  /**
   * Makes YARN localize and schedule a container that waited in the queue before the restart, like
   * a new one. By itself YARN considers it ready, but has forgotten its files: the state store does
   * not have them.
   *
   * @return whether the container waited and YARN has not initialized it yet
   */
  boolean startAgain(Container container) {
    try {
      boolean waited =
          container instanceof ContainerImpl
              && container.getContainerState() == ContainerState.NEW
              && field.get(container) == RecoveredContainerStatus.QUEUED;
      if (waited) {
        field.set(container, RecoveredContainerStatus.REQUESTED);
      }
      return waited;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e); // it was made accessible
    }
  }
}
