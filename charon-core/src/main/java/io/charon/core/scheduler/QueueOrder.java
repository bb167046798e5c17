/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.Collection;
import java.util.Optional;

/** Who of those that wait starts first, and who leaves when the queue is full. */
public interface QueueOrder {
  /**
   * Those that wait, first to start first.
   *
   * @param waiting in order of arrival
   * @param claims what the owners hold and would hold
   * @param nowNanos now, on the clock of {@link Waiting#sinceNanos}
   */
  Collection<Waiting> inOrder(Collection<Waiting> waiting, Claims claims, long nowNanos);

  /** The first of {@link #inOrder}, found without the others' order; empty if nobody waits. */
  Optional<Waiting> first(Collection<Waiting> waiting, Claims claims, long nowNanos);

  /**
   * Who gives its place in a full queue to a newcomer.
   *
   * @param newcomer does not wait yet
   * @param waiting in order of arrival
   * @return empty if the newcomer has no better right than those that wait: it is rejected itself
   */
  Optional<LaunchRequest> givesWay(LaunchRequest newcomer, Collection<Waiting> waiting);

  /** Whether anybody ever gives way. */
  boolean givesWay();
}
