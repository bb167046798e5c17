/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The simulator against reality: reads what {@code charon demo} measured on a real cluster, runs
 * the same jobs in the simulator, and puts both side by side.
 *
 * <p>The simulation takes from the demo what does not depend on the mode that it predicts: sizes
 * and limits of the workload, instants of submission, production as it runs alone, and one
 * best-effort job of each kind as it runs alone ({@link
 * io.charon.evaluation.validation.Calibration}).
 */
package io.charon.evaluation.validation;
