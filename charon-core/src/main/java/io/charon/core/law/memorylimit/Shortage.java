/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

/**
 * Best-effort's use above its limit, and the ways to reclaim it.
 *
 * @param dueBytes D of the law, without the memory of dying containers
 * @param cleanCacheBytes best-effort's clean page cache
 * @param swappableBytes memory that may be moved to swap: 0 without swap, with less than 20 % of it
 *     free, or if the operator does not allow it
 * @param freeBytes unused memory of the node
 * @param growthBytesPerSecond growth of all others over the last 200 ms
 * @param toleratedBytes no container is killed for less than this; the reserve covers it ({@link
 *     LimitBasis#slackBytes})
 */
public record Shortage(
    long dueBytes,
    long cleanCacheBytes,
    long swappableBytes,
    long freeBytes,
    long growthBytesPerSecond,
    long toleratedBytes) {}
