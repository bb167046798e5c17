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
 * @param cores the number of processors that no container has exclusively, at least 0
 * @param threadsPerCore the maximum number of these processors that share a physical core; 1 if
 *     none do
 * @param members all production containers that have a cgroup managed by Charon
 */
public record PoolUse(int cores, int threadsPerCore, List<Member> members) implements Reading {
  /**
   * A production container.
   *
   * @param id YARN's container id
   * @param exclusive whether it is pinned to processors, which are not part of the pool then
   * @param originalCores the quota without the mechanism, in CPU seconds per second: the quota that
   *     was found, or its vcores if there was none
   * @param quotaCores the current quota, in the same unit; empty if there is none
   * @param given whether Charon set or changed the current quota
   * @param usedSeconds CPU time since its cgroup was created
   * @param throttledPeriods the number of periods in which its quota throttled it, since then
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
