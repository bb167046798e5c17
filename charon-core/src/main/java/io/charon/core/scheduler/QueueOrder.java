/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Collection;
import java.util.Optional;

/** The order in which waiting containers start, and which of them leaves when the queue is full. */
public interface QueueOrder {
  /**
   * Returns the waiting containers in the order in which they start.
   *
   * @param waiting in order of arrival
   * @param claims the memory that owners hold and containers would get
   * @param nowNanos the current time, on the clock of {@link Waiting#sinceNanos}
   */
  Collection<Waiting> inOrder(Collection<Waiting> waiting, Claims claims, long nowNanos);

  /** Returns the first of {@link #inOrder} without ordering the rest; empty if none waits. */
  Optional<Waiting> first(Collection<Waiting> waiting, Claims claims, long nowNanos);

  /**
   * Returns the container that loses its place in a full queue to a new one.
   *
   * @param newContainer the new container, not waiting yet
   * @param waiting in order of arrival
   * @return empty if the new container has no precedence over a waiting one: it is rejected itself
   */
  Optional<LaunchRequest> displacedBy(LaunchRequest newContainer, Collection<Waiting> waiting);

  /**
   * Returns whether one of these containers may lose its place to a new one.
   *
   * @param waiting in order of arrival
   */
  boolean canDisplace(Collection<Waiting> waiting);
}
