/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import java.util.OptionalDouble;

/**
 * One run of one mode.
 *
 * @param mode name of the mode
 * @param repetition number of the repetition, from 0
 * @param foreground requests that were due while it was measured
 * @param answersPerSecond answers that arrived while it was measured
 * @param backgroundPerSecond work of the background, in its own unit
 * @param utilization utilization of the scenario's resource, 0 to 1
 * @param agent what the agent did
 */
record RunMeasurement(
    String mode,
    int repetition,
    Requests foreground,
    double answersPerSecond,
    double backgroundPerSecond,
    double utilization,
    Agent agent) {

  /**
   * What the agent did.
   *
   * @param violations how often a regulator found the foreground above its reserve or slowed down
   * @param kills number of best-effort containers that were killed
   * @param cpuPercent CPU use of the regulators in percent of one CPU; empty without regulators
   */
  record Agent(int violations, int kills, OptionalDouble cpuPercent) {}
}
