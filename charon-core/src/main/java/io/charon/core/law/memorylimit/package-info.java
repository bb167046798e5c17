/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The moving memory limit around best-effort: how much memory all best-effort containers of a node
 * may use together, in which order it is reclaimed from them, and how much they may be given.
 *
 * <p>Production keeps its reservation, including its page cache. With the node's boundary B, the
 * memory O of all others than best-effort, the reserve R, and the clean page cache Y that others
 * hold beyond their entitlement,
 *
 * <pre>  limit = B - O - R + Y  =  B - (memory to which others are entitled) - R</pre>
 *
 * <p>Every second a slow sample ({@link io.charon.core.law.memorylimit.SlowSample}) determines how
 * much of its memory each holder is entitled to. Between slow samples, fast samples read only two
 * numbers, the use of the node and of best-effort ({@link
 * io.charon.core.law.memorylimit.MemoryLimitLaw}). The limit falls at once and rises slowly. The
 * fast part of the law also exists in C, in {@code ua_limit_law.h} of {@code ua-killer}.
 *
 * <p>These are pure decisions that use the JDK alone. Nothing here is thread-safe: the caller uses
 * one thread or one lock. Sizes are bytes, times nanoseconds of any monotonic clock.
 */
package io.charon.core.law.memorylimit;
