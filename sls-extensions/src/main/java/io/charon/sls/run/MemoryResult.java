/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import java.util.List;

/**
 * How a run used the cluster's memory.
 *
 * @param utilization memory in use over all memory, 0 to 1, until the last submission
 * @param usedOverRequested used over requested memory of tasks, while they ran
 * @param productionUsedOverAllocated used over requested memory of production tasks
 * @param samples memory of the cluster over time, at most 512 samples
 */
public record MemoryResult(
    double utilization,
    double usedOverRequested,
    double productionUsedOverAllocated,
    List<MemorySample> samples) {}
