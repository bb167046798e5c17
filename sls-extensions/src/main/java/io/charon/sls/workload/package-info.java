/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * The jobs of a simulation: their tasks, the memory that these use over their progress, and the
 * times of submission. Start with {@link io.charon.sls.workload.SimulatedJob}; a {@link
 * io.charon.sls.workload.WorkloadSource} provides them one by one. The values know neither files
 * nor traces, nodes nor policies.
 */
package io.charon.sls.workload;
