/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

/**
 * The best-effort side of a run.
 *
 * @param submitted number of jobs
 * @param outcome what became of them by the end of the horizon
 * @param kills containers killed for memory or preempted by YARN
 * @param refused containers that were rejected or removed from a queue
 */
record BestEffortMeasurement(int submitted, BestEffortOutcome outcome, long kills, long refused) {}
