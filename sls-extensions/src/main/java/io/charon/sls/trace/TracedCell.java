/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

/**
 * The cell that a trace was recorded in, in the unit of the simulated cluster.
 *
 * @param memory memory of all machines together, in simulated nodes
 * @param windowMillis length of the trace
 */
public record TracedCell(double memory, long windowMillis) {}
