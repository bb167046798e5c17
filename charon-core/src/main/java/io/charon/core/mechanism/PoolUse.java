/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Production containers that share processors, and their CPU quotas.
 *
 * @param cores processors that no container has for itself, at least 0
 * @param threadsPerCore how many of them share a physical core, at most; 1 where none does
 * @param members all production containers that have a cgroup of Charon's
 */
public record PoolUse(int cores, int threadsPerCore, List<Member> members) implements Reading {
  /**
   * A container.
   *
   * @param id YARN's container id
   * @param exclusive whether it is pinned to processors, which are no part of the pool then
   * @param originalCores quota that it has or would have by itself, CPU seconds per second: the one
   *     that was found, else its vcores
   * @param quotaCores quota that it has, in the same unit; empty if none
   * @param given whether that was given by Charon, or changed by it
   * @param usedSeconds CPU time since its cgroup was made
   * @param throttledPeriods in how many periods its quota kept it from running, since then
   */
  public record Member(
      String id,
      boolean exclusive,
      double originalCores,
      OptionalDouble quotaCores,
      boolean given,
      double usedSeconds,
      long throttledPeriods) {}

  /** Copies the list. */
  public PoolUse {
    members = List.copyOf(members);
  }
}
