/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The simulator compared with reality: reads the measurements of {@code charon demo} on a real
 * cluster, runs the same jobs in the simulator, and reports both side by side.
 *
 * <p>The simulation takes from the demo only inputs that do not depend on the predicted mode: sizes
 * and limits of the workload, times of submission, production as it runs alone, and one best-effort
 * job of each kind as it runs alone ({@link io.charon.evaluation.validation.SimulationInputs}).
 */
package io.charon.evaluation.validation;
