/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.burst;

/**
 * The result of one run.
 *
 * @param meanDelayMillis mean waiting time of a request, over all applications (the paper's
 *     Delay_avg)
 * @param meanOfHighestMillis mean of the longest waiting time of each application (Delay_max)
 * @param highestUse highest use of the pool over five consecutive periods of 100 ms, as a share of
 *     all original quotas (U_max)
 * @param meanUse mean use of the pool, in the same unit
 * @param throttledApplications share of the applications that were throttled at least once
 * @param throttledPeriods share of the throttled periods, over all applications; 0 without a quota
 * @param meanQuota mean quota at the rounds of the pool, in original quotas; 1 if the quota is
 *     constant
 */
public record BurstOutcome(
    double meanDelayMillis,
    double meanOfHighestMillis,
    double highestUse,
    double meanUse,
    double throttledApplications,
    double throttledPeriods,
    double meanQuota) {}
