/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * CPU time of the agent on a node with many containers, with every mechanism in {@code enforce}.
 *
 * @param containers number of containers, half of them production and half best-effort, each with a
 *     sleeping process
 * @param warmUp how long the node ran before the measurement
 * @param ticks number of measured ticks
 * @param tick period of the ticks
 * @param microsPerTick CPU time of one tick on its thread, microseconds
 * @param percentByPart use of one CPU by each group of threads of the JVM and by each program
 * @param unavailable mechanisms that cannot work on this machine
 */
record AgentCost(
    int containers,
    Duration warmUp,
    int ticks,
    Duration tick,
    double microsPerTick,
    SortedMap<String, Double> percentByPart,
    List<String> unavailable) {
  /** Copies the collections. */
  AgentCost {
    percentByPart = Collections.unmodifiableSortedMap(new TreeMap<>(percentByPart));
    unavailable = List.copyOf(unavailable);
  }

  /** Returns the use of one CPU by everything: all threads of the JVM, and the programs. */
  double cpuPercent() {
    return percentByPart.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
