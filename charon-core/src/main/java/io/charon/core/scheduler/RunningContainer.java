/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

/**
 * A best-effort container that was launched and has not ended.
 *
 * @param request what it asked for
 * @param expectedPeakBytes what it was charged with
 * @param launchedNanos when, on the caller's monotonic clock
 * @param found whether it ran already when the scheduler heard of it
 */
public record RunningContainer(
    LaunchRequest request, long expectedPeakBytes, long launchedNanos, boolean found) {}
