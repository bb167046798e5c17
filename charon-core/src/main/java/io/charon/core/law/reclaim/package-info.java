/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Proactive reclaim: memory that a running container does not use goes to swap or to its files, a
 * little at a time, and less of it as soon as somebody misses it.
 *
 * <pre>  taken = percent * held * max(0, 1 - waited / 0.1 %) * accuracy</pre>
 *
 * <p>The share of what is held, and the time waited for memory and for disks, are those of TMO's
 * Senpai (Weiner et al., ASPLOS 2022; oomd); the accuracy, 1 less what came back of what was taken,
 * is katalyst's; the promotion rate above which nothing is taken for an hour is that of Google's
 * far memory (Lagar-Cavilla et al., ASPLOS 2019). Nobody knows the age of a page here: which pages
 * go is the kernel's choice, how many is this law's.
 *
 * <p>Pure decisions on the JDK alone. Nothing here is thread-safe: the caller owns one thread or
 * one lock. Sizes are bytes, times nanoseconds of any monotonic clock.
 */
package io.charon.core.law.reclaim;
