/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

/**
 * A best-effort container that was launched and has not ended.
 *
 * @param request its request
 * @param expectedPeakBytes the memory charged to it
 * @param launchedNanos the time of the launch, on the caller's monotonic clock
 * @param found whether it was already running when the scheduler learned of it
 */
public record RunningContainer(
    LaunchRequest request, long expectedPeakBytes, long launchedNanos, boolean found) {}
