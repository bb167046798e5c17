/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

/**
 * The result of one window and std-factor over all series.
 *
 * @param windowSeconds the window
 * @param stdFactor number of standard deviations reserved above the mean
 * @param maxViolations violations of the series with the most violations
 * @param totalViolations violations of all series
 * @param backgroundAfforded mean over the series of the mean share of the capacity that best-effort
 *     may use; includes the first window, in which it may use nothing
 * @param meanExcess mean of the use above the reserve at violations, as a share of the capacity; 0
 *     without violations
 * @param largestExcess highest use above the reserve, as a share of the capacity
 * @param worstSeries the series with the most violations
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
