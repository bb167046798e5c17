/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

/**
 * What a best-effort container that starts now may come to hold.
 *
 * @param bytes 0: nobody starts
 */
public record LaunchRoom(long bytes) {
  /**
   * The room below the limit. Best-effort's clean page cache makes room for a newcomer; free memory
   * of the node does not count, because it may be others'.
   *
   * @param wallBytes W of the law
   * @param unreclaimableBytes what best-effort holds and could not drop
   * @param expectedGrowthBytes by which those who run are expected to grow
   * @param claimBytes what production that just started will need
   */
  public static LaunchRoom of(
      long wallBytes, long unreclaimableBytes, long expectedGrowthBytes, long claimBytes) {
    return new LaunchRoom(
        wallBytes < LimitDecision.MIN_LIMIT_BYTES
            ? 0
            : Math.max(0, wallBytes - unreclaimableBytes - expectedGrowthBytes - claimBytes));
  }
}
