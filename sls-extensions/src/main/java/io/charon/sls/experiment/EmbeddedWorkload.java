/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.experiment;

import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A workload that is generated for each seed.
 *
 * @param hours its length, 0.1 to 1000
 * @param productionJobs number of production jobs; if empty, the number for each node and hour is
 *     that of the paper's simulation
 * @param bestEffortJobs number of best-effort jobs; likewise if empty
 * @param productionRatio used over requested memory of production, 0.05 to 0.95; if empty, all
 *     tasks are calibrated together
 */
public record EmbeddedWorkload(
    double hours,
    OptionalInt productionJobs,
    OptionalInt bestEffortJobs,
    OptionalDouble productionRatio) {}
