/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import io.charon.core.scheduler.ContainerEnd;
import java.util.Optional;

/**
 * A part of the node that is notified of containers, on YARN's threads. The order for one container
 * is: starting or reacquired, then changed, resized and signalled, each any number of times, then
 * stopped, released and ended; a container that never ran only gets the last two. If a listener
 * throws, the others are notified all the same, except of a start: that fails as a whole.
 */
public interface ContainerListener {
  /**
   * Called when a container is about to start.
   *
   * @param placed whether Charon places it, or leaves it untouched
   * @return what its first process does before any user code; at most one listener returns a value
   */
  default Optional<LaunchPrefix> starting(ContainerInfo container, boolean placed) {
    return Optional.empty();
  }

  /**
   * Called when a container that an earlier NodeManager started was found, running or ended.
   *
   * @param placed whether Charon placed it
   */
  default void reacquired(ContainerInfo container, boolean placed) {}

  /**
   * Called when a container was promoted to production or demoted to best-effort.
   *
   * @param placed whether Charon placed it
   */
  default void changed(ContainerInfo container, boolean placed) {}

  /** Called when a container has another request than before, and the same class. */
  default void resized(ContainerInfo container) {}

  /**
   * Called before a terminating signal is sent; the container may have stopped by the time of the
   * signal.
   */
  default void signalling(String containerId) {}

  /**
   * Called after a terminating signal was sent.
   *
   * @param placed whether Charon placed it
   */
  default void signalled(String containerId, boolean placed) {}

  /**
   * Called when all processes of a container that YARN knows of have ended.
   *
   * @param placed whether Charon placed it
   */
  default void stopped(String containerId, boolean placed) {}

  /**
   * Called when a container releases its memory; may be called twice.
   *
   * @param peakBytes its highest working set, 0 if never measured
   * @param end {@link ContainerEnd#KILLED_FOR_MEMORY}, {@link ContainerEnd#COMPLETED} or {@link
   *     ContainerEnd#OTHER}
   */
  default void released(String containerId, long peakBytes, ContainerEnd end) {}

  /** Called when YARN forgets a container. */
  default void ended(String containerId) {}
}
