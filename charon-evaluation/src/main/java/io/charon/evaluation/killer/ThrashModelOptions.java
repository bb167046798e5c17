/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.time.Duration;
import java.util.List;

/**
 * Options of {@code bench thrash-model}.
 *
 * @param ratios ratios of memory in use to available memory, each above 1, increasing
 * @param touchingRatios ratios for programs that do not compute
 * @param sharedRatios ratios for two programs, one of each kind of pages, under one limit
 * @param repetitions number of measurements of each ratio, at least 1
 * @param interval time for which a program settles, and then time for which it is measured
 */
public record ThrashModelOptions(
    List<Double> ratios,
    List<Double> touchingRatios,
    List<Double> sharedRatios,
    int repetitions,
    Duration interval) {
  /** Copies the lists. */
  public ThrashModelOptions {
    ratios = List.copyOf(ratios);
    touchingRatios = List.copyOf(touchingRatios);
    sharedRatios = List.copyOf(sharedRatios);
  }

  List<Double> ratios(ThrashProgram program) {
    return program.steps() > 0 ? ratios : touchingRatios;
  }
}
