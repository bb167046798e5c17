/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

/**
 * What best-effort holds above its limit, and how it could be had.
 *
 * @param dueBytes D of the law, without what containers hold that are dying
 * @param cleanCacheBytes best-effort's clean page cache
 * @param swappableBytes what may be pushed out to swap: 0 without swap, with less than 20 % of it
 *     free, or if the operator does not allow it
 * @param freeBytes what of the node nobody uses
 * @param growthBytesPerSecond of everybody who is not best-effort, over the last 200 ms
 * @param toleratedBytes for so little nobody dies: the reserve bears it ({@link
 *     LimitBasis#slackBytes})
 */
public record Shortage(
    long dueBytes,
    long cleanCacheBytes,
    long swappableBytes,
    long freeBytes,
    long growthBytesPerSecond,
    long toleratedBytes) {}
