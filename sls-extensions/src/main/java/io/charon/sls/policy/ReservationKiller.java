/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.policy;

import io.charon.sls.node.KillDelay;
import io.charon.sls.node.Killer;
import io.charon.sls.node.NodeContainer;
import io.charon.sls.node.NodeState;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Stock YARN's preemption: if the requests of all running containers exceed the share of the node,
 * the newest best-effort containers are killed until the requests fit.
 */
final class ReservationKiller implements Killer {
  static final String CAUSE = "reservation";

  private final int percent;
  private final KillDelay delay;
  private final RandomGenerator random;

  ReservationKiller(int percent, KillDelay delay, RandomGenerator random) {
    this.percent = percent;
    this.delay = delay;
    this.random = random;
  }

  @Override
  public Optional<Kill> decide(NodeState node, long nowNanos) {
    long reserved = node.guaranteedRequestedBytes();
    NodeContainer newest = null;
    for (NodeContainer container : node.containers()) {
      if (container.isBestEffort() && !container.isDying()) {
        reserved += container.plan().requestedBytes();
        newest = container;
      }
    }
    if (newest == null || reserved <= node.size().memoryBytes() / 100 * percent) {
      return Optional.empty();
    }
    return Optional.of(
        new Kill(
            newest, CAUSE, delay.drawNanos(random, newest.anonymousBytes() + newest.fileBytes())));
  }

  @Override
  public long recheckNanos(NodeState node) {
    return Long.MAX_VALUE;
  }
}
