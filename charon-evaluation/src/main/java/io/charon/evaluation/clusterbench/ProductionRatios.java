/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import java.util.OptionalDouble;

/**
 * What production measured in one mode at one load, relative to production alone in the same
 * repetition, as medians over the repetitions; a ratio that does not apply is empty.
 *
 * @param p50 ratio of the median duration of tasks or steps
 * @param p90 ratio of the 90th percentile of the durations of tasks or steps
 * @param throughput ratio of the service's throughput
 * @param latencyP50 ratio of the service's median latency
 * @param latencyP99 ratio of the 99th percentile of the service's latency
 */
record ProductionRatios(
    OptionalDouble p50,
    OptionalDouble p90,
    OptionalDouble throughput,
    OptionalDouble latencyP50,
    OptionalDouble latencyP99) {}
