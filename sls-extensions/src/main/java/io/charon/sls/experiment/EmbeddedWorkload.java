/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.experiment;

import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A workload that is generated afresh for each seed.
 *
 * @param hours its length, 0.1 to 1000
 * @param productionJobs how many; without it as many for each node and hour as in the paper's
 *     simulation
 * @param bestEffortJobs likewise
 * @param productionRatio memory that production uses of what it asks for, 0.05 to 0.95; without it
 *     all tasks are calibrated alike
 */
public record EmbeddedWorkload(
    double hours,
    OptionalInt productionJobs,
    OptionalInt bestEffortJobs,
    OptionalDouble productionRatio) {}
