/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import java.time.Duration;
import java.util.List;

/**
 * CPU time of the agent on a node with many containers, with every mechanism in {@code enforce}.
 *
 * @param containers number of containers, half of them production and half best-effort, each with a
 *     sleeping process
 * @param ticks number of measured ticks
 * @param tick period of the ticks
 * @param microsPerTick CPU time of one tick on its thread, microseconds
 * @param cpuPercent use of one CPU by everything: all threads of the JVM, and the helper programs
 * @param unavailable mechanisms that cannot work on this machine
 */
record AgentCost(
    int containers,
    int ticks,
    Duration tick,
    double microsPerTick,
    double cpuPercent,
    List<String> unavailable) {
  /** Copies the list. */
  AgentCost {
    unavailable = List.copyOf(unavailable);
  }
}
