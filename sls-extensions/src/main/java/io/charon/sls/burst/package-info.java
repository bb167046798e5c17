/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * Simulates in virtual time the delay that a CPU quota causes for bursty applications, and the part
 * of it that a token bucket or a shared pool avoids: the model of figure 14 of SoCC'22.
 *
 * <p>An {@link io.charon.sls.burst.BurstyApplication} runs its requests as far as the kernel's
 * bandwidth control would allow. A {@link io.charon.sls.burst.BurstPool} is twenty of these under
 * one {@link io.charon.sls.burst.QuotaVariant}, and {@link io.charon.sls.burst.BurstComparison}
 * compares all variants. Quotas are computed by the same laws that run on nodes.
 */
package io.charon.sls.burst;
