/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune.reclaimed;

import java.util.List;
import java.util.Map;

/**
 * What was found on one table.
 *
 * @param table which one
 * @param machines how many machines were made of its series
 * @param samples how many samples were judged on them
 * @param used share of the capacity that production used, on average
 * @param allocation where all reservations are kept
 * @param oracle where the highest use of the next 24 hours is kept
 * @param predictors by name, in the order in which they were asked for
 * @param skipped rows and series that were left out
 * @param note why there is nothing, if no machine could be judged; else empty
 */
public record TableResult(
    UsageTable table,
    int machines,
    long samples,
    double used,
    Score allocation,
    Score oracle,
    Map<String, Score> predictors,
    List<Skipped> skipped,
    String note) {}
