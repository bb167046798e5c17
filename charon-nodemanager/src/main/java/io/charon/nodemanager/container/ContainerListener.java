/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import java.util.Optional;

/**
 * A part of the node that hears of the containers, on YARN's threads. YARN tells of one container
 * in this order: starting or reacquired, then changed and signalled, each any number of times, then
 * stopped, released and ended; of one that never ran, only the last two. Whoever throws keeps those
 * behind it from hearing.
 */
public interface ContainerListener {
  /**
   * It is about to start.
   *
   * @param placed whether Charon gives it a place, or leaves it alone
   * @return what its first process does before any user code; at most one listener says so
   */
  default Optional<LaunchPrefix> starting(ContainerInfo container, boolean placed) {
    return Optional.empty();
  }

  /**
   * It was found running, or dead, and an earlier NodeManager started it.
   *
   * @param placed whether it has a place that Charon gave it
   */
  default void reacquired(ContainerInfo container, boolean placed) {}

  /**
   * It was promoted to production or demoted to best-effort.
   *
   * @param placed whether it has a place that Charon gave it
   */
  default void changed(ContainerInfo container, boolean placed) {}

  /** It is about to be sent a signal that ends it, and may have stopped when that was sent. */
  default void signalling(String containerId) {}

  /**
   * It was sent a signal that ends it.
   *
   * @param placed whether it has a place that Charon gave it
   */
  default void signalled(String containerId, boolean placed) {}

  /**
   * All processes that YARN knows of it have ended.
   *
   * @param placed whether it has a place that Charon gave it
   */
  default void stopped(String containerId, boolean placed) {}

  /**
   * It gives its memory back; may be told twice.
   *
   * @param peakBytes its highest working set, 0 if never measured
   * @param killed whether it was killed for memory
   */
  default void released(String containerId, long peakBytes, boolean killed) {}

  /** YARN forgets it. */
  default void ended(String containerId) {}
}
