/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

/**
 * Memory of all nodes at one instant.
 *
 * @param seconds time since the start of the window
 * @param usedBytes working set of the nodes
 * @param reservedBytes memory that the ResourceManager has allocated
 * @param limitBytes memory of the nodes
 */
public record MemorySample(double seconds, long usedBytes, long reservedBytes, long limitBytes) {}
