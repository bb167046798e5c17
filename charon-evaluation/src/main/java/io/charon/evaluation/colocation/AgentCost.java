/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

/**
 * CPU time of the agent on a node with many containers, with all regulators on.
 *
 * @param containers number of containers, half of them production and half best-effort, each with a
 *     sleeping process
 * @param ticks number of measured ticks
 * @param microsPerTick CPU time of one tick, microseconds
 * @param cpuPercent use of one CPU, percent
 */
record AgentCost(int containers, int ticks, double microsPerTick, double cpuPercent) {}
