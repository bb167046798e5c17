/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/**
 * What a CPU quota costs applications that work in bursts, and what a bucket or a shared pool gives
 * back of it, in virtual time: the model of figure 14 of SoCC'22.
 *
 * <p>An {@link io.charon.sls.burst.BurstyApplication} works off its requests as far as the kernel's
 * bandwidth control would let it, a {@link io.charon.sls.burst.BurstPool} is twenty of them under
 * one {@link io.charon.sls.burst.QuotaVariant}, and {@link io.charon.sls.burst.BurstComparison}
 * sets all variants side by side. Quotas come from the laws that nodes run.
 */
package io.charon.sls.burst;
