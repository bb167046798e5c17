/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Remembers that a new container found a full queue in which it could displace nobody. The
 * ResourceManager does not say for whom it looks for a place, and would send the containers of the
 * largest owner again and again; so the queue counts as closed for a while. Safe for use by several
 * threads.
 */
public final class FullQueue {
  /**
   * How long the queue counts as closed, half of the time for which the container's application
   * avoids the node (our choice): in the other half the place goes to others.
   */
  public static final Duration CLOSED = Duration.ofSeconds(5);

  /** When a new container got no place; empty if another one has got a place since. */
  private volatile OptionalLong refused = OptionalLong.empty();

  /**
   * Takes note of a new container.
   *
   * @param hasPlace whether the queue has a place for it, which another one may have left to it
   * @param nowNanos monotonic time
   */
  public void arrived(boolean hasPlace, long nowNanos) {
    refused = hasPlace ? OptionalLong.empty() : OptionalLong.of(nowNanos);
  }

  /**
   * Returns whether the queue counts as closed as long as it is full.
   *
   * @param nowNanos monotonic time
   */
  public boolean isClosed(long nowNanos) {
    OptionalLong since = refused;
    return since.isPresent() && nowNanos - since.getAsLong() < CLOSED.toNanos();
  }
}
