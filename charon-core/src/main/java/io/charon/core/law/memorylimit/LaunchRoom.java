/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

/**
 * The memory that a best-effort container which starts now may come to use.
 *
 * @param bytes 0: no container may start
 */
public record LaunchRoom(long bytes) {
  /**
   * Computes the room below the limit. Best-effort's clean page cache counts as room for a new
   * container. Free memory of the node does not, because others may be entitled to it.
   *
   * @param limitBytes W of the law
   * @param unreclaimableBytes best-effort's memory that could not be dropped
   * @param expectedGrowthBytes the expected growth of the running containers
   * @param claimBytes the memory that production which just started will need
   */
  public static LaunchRoom of(
      long limitBytes, long unreclaimableBytes, long expectedGrowthBytes, long claimBytes) {
    return new LaunchRoom(
        limitBytes < LimitDecision.MIN_LIMIT_BYTES
            ? 0
            : Math.max(0, limitBytes - unreclaimableBytes - expectedGrowthBytes - claimBytes));
  }
}
