/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The limit of best-effort's reads while production refills its page cache: for whom, for how long,
 * and how fast a disk is.
 *
 * <p>A memory limit gives production room; beside a reader that keeps the disk busy it gets no page
 * cache into it. While a production container holds less than its right and its page cache grows,
 * best-effort reads with a share of the disk's speed, {@link
 * io.charon.core.law.disklimit.RefillLaw}.
 *
 * <p>Pure decisions on the JDK alone. Nothing here is thread-safe: the caller owns one thread or
 * one lock. Sizes are bytes, times nanoseconds of a clock that may start anywhere.
 */
package io.charon.core.law.disklimit;
