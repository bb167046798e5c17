/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

/**
 * Memory of the whole cluster, on average since the sample before.
 *
 * @param seconds virtual time at the end of the interval
 * @param allocatedBytes what running tasks had asked for
 * @param usedBytes what was in use, ApplicationMasters included
 * @param productionAllocatedBytes what running production tasks had asked for
 * @param productionUsedBytes what production tasks used
 */
public record MemorySample(
    double seconds,
    double allocatedBytes,
    double usedBytes,
    double productionAllocatedBytes,
    double productionUsedBytes) {}
