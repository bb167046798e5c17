/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The moving memory limit around best-effort: how much all best-effort containers of a node may
 * hold together, in which order memory is taken back from them, and what they may be given.
 *
 * <p>Production keeps what it has reserved, its page cache included. With the node's boundary B,
 * what is not best-effort's O, the reserve R, and clean page cache Y that others hold beyond their
 * right,
 *
 * <pre>  limit = B - O - R + Y  =  B - (what others have a right to keep) - R</pre>
 *
 * <p>Every second a slow look ({@link io.charon.core.law.memorylimit.SlowLook}) says who holds what
 * by right; between two of them fast looks see two numbers only, the node's use and best-effort's
 * ({@link io.charon.core.law.memorylimit.MemoryLimitLaw}). The limit falls at once and rises
 * slowly. The law's fast part has a twin in C, {@code ua_limit_law.h} of {@code ua-killer}.
 *
 * <p>Pure decisions on the JDK alone. Nothing here is thread-safe: the caller owns one thread or
 * one lock. Sizes are bytes, times nanoseconds of any monotonic clock.
 */
package io.charon.core.law.memorylimit;
