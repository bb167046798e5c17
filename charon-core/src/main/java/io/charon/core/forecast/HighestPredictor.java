/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

import java.util.List;

/** The maximum of several predictors (EuroSys'21: the predictor that Google uses in production). */
public final class HighestPredictor implements UsePredictor {
  private final List<UsePredictor> predictors;

  /** Creates the maximum of the given predictors. */
  public HighestPredictor(UsePredictor... predictors) {
    this.predictors = List.of(predictors);
  }

  @Override
  public void add(UseSample sample) {
    for (UsePredictor predictor : predictors) {
      predictor.add(sample);
    }
  }

  @Override
  public double keptShare() {
    double most = 0;
    for (UsePredictor predictor : predictors) {
      most = Math.max(most, predictor.keptShare());
    }
    return most;
  }
}
