/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

/**
 * What one window and std-factor did to all series.
 *
 * @param windowSeconds the window
 * @param stdFactor how many standard deviations are reserved above the mean
 * @param maxViolations violations of the series that has most
 * @param totalViolations violations of all series
 * @param backgroundAfforded mean over the series of the mean share of the capacity that best-effort
 *     might use, the first window included, which affords nothing
 * @param meanExcess how far use was above its reserve at a violation, on average, as a share of the
 *     capacity; 0 without violations
 * @param largestExcess the most that it was above
 * @param worstSeries the series that has most violations
 */
public record CellResult(
    double windowSeconds,
    double stdFactor,
    long maxViolations,
    long totalViolations,
    double backgroundAfforded,
    double meanExcess,
    double largestExcess,
    String worstSeries) {}
