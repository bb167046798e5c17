/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.core.kill.LowMemoryRule;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The user-space killer of the Charon paper (section 2.3): if too little memory is available, it
 * kills the newest best-effort container, with a delay after the decision. If it makes room for
 * production, the request of a starting production container counts as used until there is room for
 * it or no container is left to kill, as in a NodeManager.
 */
public final class LowMemoryKiller implements Killer {
  /** Cause of the kills. */
  public static final String CAUSE = "low-memory";

  private final LowMemoryRule rule;
  private final KillDelay delay;
  private final RandomGenerator random;
  private final boolean makesRoom;
  private long startingBytes;

  /**
   * Creates the killer of a node.
   *
   * @param rule decides when a container is killed, and which one
   * @param delay time from the decision until the memory is free
   * @param random draws the delays
   * @param makesRoom whether it kills containers before a production container grows
   */
  public LowMemoryKiller(
      LowMemoryRule rule, KillDelay delay, RandomGenerator random, boolean makesRoom) {
    this.makesRoom = makesRoom;
    this.rule = rule;
    this.delay = delay;
    this.random = random;
  }

  @Override
  public void productionStarts(long requestedBytes) {
    if (makesRoom) {
      startingBytes += requestedBytes;
    }
  }

  @Override
  public Optional<Kill> decide(NodeState node, long nowNanos) {
    long capacity = node.size().memoryBytes();
    long available = node.availableBytes() - startingBytes;
    if (available >= rule.thresholdBytes(capacity)) {
      startingBytes = 0;
      return Optional.empty();
    }
    List<NodeContainer> oldestFirst =
        node.containers().stream()
            .filter(container -> container.isBestEffort() && !container.isDying())
            .toList();
    if (oldestFirst.isEmpty() && !node.isDying()) {
      startingBytes = 0;
      return Optional.empty();
    }
    List<String> ids = oldestFirst.stream().map(container -> container.plan().id()).toList();
    return rule.victim(capacity, available, ids, node.isDying())
        .map(id -> oldestFirst.get(ids.indexOf(id)))
        .map(
            victim ->
                new Kill(
                    victim,
                    CAUSE,
                    delay.drawNanos(random, victim.anonymousBytes() + victim.fileBytes())));
  }

  @Override
  public long recheckNanos(NodeState node) {
    return Long.MAX_VALUE;
  }
}
