/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

/**
 * CPU time of the agent on a node with many containers, all regulators on.
 *
 * @param containers half of them production, half best-effort, each with a process that sleeps
 * @param ticks that were measured
 * @param microsPerTick CPU time of one, microseconds
 * @param cpuPercent of one CPU
 */
record AgentCost(int containers, int ticks, double microsPerTick, double cpuPercent) {}
