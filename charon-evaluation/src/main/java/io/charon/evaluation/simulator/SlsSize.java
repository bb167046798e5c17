/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.simulator;

/**
 * A size of cluster that {@code bench sls} simulates.
 *
 * @param nodes number of nodes
 * @param hours virtual hours of submissions; the number of jobs is proportional to nodes and hours
 * @param targetPerSecond target in virtual seconds per second of wall time
 */
public record SlsSize(int nodes, double hours, double targetPerSecond) {}
