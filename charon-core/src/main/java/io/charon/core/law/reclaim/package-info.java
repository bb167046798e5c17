/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Proactive reclaim: memory that a running container does not use is moved to swap or back to its
 * files, a little at a time, and less of it as soon as the container misses it.
 *
 * <pre>  reclaimed = percent * held * max(0, 1 - waited / 0.1 %) * accuracy</pre>
 *
 * <p>The share of the held memory and the time waited for memory and for disks are those of TMO's
 * Senpai (Weiner et al., ASPLOS 2022; oomd). The accuracy, 1 less the share of the reclaimed memory
 * that came back, is katalyst's. The promotion rate above which nothing is reclaimed for an hour is
 * that of Google's far memory (Lagar-Cavilla et al., ASPLOS 2019). The age of pages is unknown
 * here: the kernel chooses the pages, this law only their number.
 *
 * <p>These are pure decisions that use the JDK alone. Nothing here is thread-safe: the caller uses
 * one thread or one lock. Sizes are bytes, times nanoseconds of any monotonic clock.
 */
package io.charon.core.law.reclaim;
