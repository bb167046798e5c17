/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

/**
 * One sample of a container's refaults, taken while the kernel reclaimed.
 *
 * @param nanos when, CLOCK_MONOTONIC
 * @param anonymousRefaults so far, pages
 * @param fileRefaults so far, pages
 * @param memoryBytes its memory with swap
 * @param counted whether the node, not only the container itself, was under pressure
 */
public record ContainerSample(
    long nanos, long anonymousRefaults, long fileRefaults, long memoryBytes, boolean counted) {}
