/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.simulator;

import java.util.List;

/**
 * How fast Hadoop's own Scheduler Load Simulator was.
 *
 * @param nodes it simulated
 * @param jobs it ran
 * @param measured whether it could be run
 * @param virtualSeconds from the first start of a job to the last end
 * @param wallSeconds of its process from start to end
 * @param remarks what it did, or why it could not be run
 */
public record StockSlsSpeed(
    int nodes,
    int jobs,
    boolean measured,
    double virtualSeconds,
    double wallSeconds,
    List<String> remarks) {
  /** Virtual seconds for each second of wall time. */
  double virtualPerSecond() {
    return virtualSeconds / wallSeconds;
  }
}
