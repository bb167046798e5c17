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
 * @param mode its name
 * @param repetition 0 and up
 * @param foreground answers to what was due while it was measured
 * @param answersPerSecond answers that came while it was measured
 * @param backgroundPerSecond what the background did, in its own unit
 * @param utilization of the scenario's resource, 0 to 1
 * @param violations how often a regulator found the foreground above its reserve, or worse off
 * @param kills of best-effort containers by the memory regulator
 * @param agentCpuPercent of one CPU, by the regulators; empty where none runs
 */
record RunMeasurement(
    String mode,
    int repetition,
    Requests foreground,
    double answersPerSecond,
    double backgroundPerSecond,
    double utilization,
    int violations,
    int kills,
    OptionalDouble agentCpuPercent) {}
