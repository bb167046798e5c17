/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.time.Duration;
import java.util.List;

/**
 * What {@code bench thrash-model} is asked to do.
 *
 * @param ratios memory in use over memory to be had, each above 1, increasing
 * @param touchingRatios the same for programs that do not compute
 * @param sharedRatios the same for two programs, one of each kind of pages, under one limit
 * @param repetitions how often each ratio is measured, at least 1
 * @param interval how long a program settles, and then is measured
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
