/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The limit on best-effort's reads while production refills its page cache: for which holders, for
 * how long, and at which fraction of a disk's speed.
 *
 * <p>A memory limit gives production room, but beside a reader that keeps the disk busy production
 * cannot fill that room with page cache. While a production container holds less than its
 * entitlement and its page cache grows, best-effort reads at a share of the disk's speed, {@link
 * io.charon.core.law.disklimit.RefillLaw}.
 *
 * <p>These are pure decisions that use the JDK alone. Nothing here is thread-safe: the caller uses
 * one thread or one lock. Sizes are bytes, times nanoseconds of a clock with an arbitrary origin.
 */
package io.charon.core.law.disklimit;
