/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.simulator;

import java.util.List;

/**
 * The speed of Hadoop's own Scheduler Load Simulator.
 *
 * @param nodes number of simulated nodes
 * @param jobs number of jobs
 * @param measured whether it could be run
 * @param virtualSeconds time from the first start of a job to the last end
 * @param wallSeconds duration of its process
 * @param remarks remarks on the run, or the reason why it could not be run
 */
public record StockSlsSpeed(
    int nodes,
    int jobs,
    boolean measured,
    double virtualSeconds,
    double wallSeconds,
    List<String> remarks) {
  /** Returns the virtual seconds per second of wall time. */
  double virtualPerSecond() {
    return virtualSeconds / wallSeconds;
  }
}
