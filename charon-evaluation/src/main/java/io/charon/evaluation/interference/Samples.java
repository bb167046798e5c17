/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.nodemanager.cgroup.ContainerClass;
import java.io.IOException;

/** The memory that each side held during an episode, sampled repeatedly. */
final class Samples {
  private int count;
  private double limit;
  private double bestEffort;
  private double production;
  private double productionPeak;

  /**
   * Takes one sample.
   *
   * @param node node of production
   * @param place node of best-effort: the same or another one
   */
  void add(InterferenceNode node, InterferenceNode place) throws IOException {
    double held = node.heldMegabytes(ContainerClass.PRODUCTION);
    count++;
    limit += place.limitMegabytes();
    bestEffort += place.heldMegabytes(ContainerClass.BEST_EFFORT);
    production += held;
    productionPeak = Math.max(productionPeak, held);
  }

  /**
   * Returns the means and the peak of all samples.
   *
   * @param reserve memory that the moving limit keeps free, MB; 0 without that limit
   */
  Episode.Memory memory(double reserve) {
    int all = Math.max(1, count);
    return new Episode.Memory(
        limit / all, bestEffort / all, production / all, productionPeak, reserve);
  }
}
