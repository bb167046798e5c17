/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

/**
 * The memory of the whole cluster, averaged over the time since the previous sample.
 *
 * @param seconds virtual time at the end of the interval
 * @param allocatedBytes requests of running tasks
 * @param usedBytes memory in use, ApplicationMasters included
 * @param productionAllocatedBytes requests of running production tasks
 * @param productionUsedBytes memory used by production tasks
 */
public record MemorySample(
    double seconds,
    double allocatedBytes,
    double usedBytes,
    double productionAllocatedBytes,
    double productionUsedBytes) {}
