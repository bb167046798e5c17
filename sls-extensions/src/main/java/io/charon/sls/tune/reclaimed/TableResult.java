/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune.reclaimed;

import java.util.Map;

/**
 * The result on one table.
 *
 * @param table the table
 * @param machines number of machines that were judged
 * @param samples number of samples that were judged
 * @param used mean share of the capacity that production used
 * @param scores the scores
 * @param leftOut rows and series that were left out
 * @param note reason why there is no score, if no machine could be judged; otherwise empty
 */
public record TableResult(
    UsageTable table,
    int machines,
    long samples,
    double used,
    Scores scores,
    LeftOut leftOut,
    String note) {
  /**
   * The scores of one table: those of the predictors, between the two that bound them.
   *
   * @param allocation score if all reservations are kept
   * @param oracle score if the highest use of the next 24 hours is kept
   * @param predictors scores by name, in the order of the request
   */
  public record Scores(Score allocation, Score oracle, Map<String, Score> predictors) {}
}
