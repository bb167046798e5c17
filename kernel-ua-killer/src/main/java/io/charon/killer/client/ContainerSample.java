/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

/**
 * One sample of a container's refaults, taken while the kernel reclaimed.
 *
 * @param nanos the time, CLOCK_MONOTONIC
 * @param anonymousRefaults refaults of anonymous pages so far
 * @param fileRefaults refaults of file pages so far
 * @param memoryBytes its memory, including swap
 * @param counted whether the node, not only the container itself, was under pressure
 */
public record ContainerSample(
    long nanos, long anonymousRefaults, long fileRefaults, long memoryBytes, boolean counted) {}
