/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.nodemanager.cgroup.ContainerClass;
import java.io.IOException;

/** Who held what, again and again. */
final class Samples {
  private int count;
  private double limit;
  private double bestEffort;
  private double production;
  private double productionPeak;

  /**
   * Reads once.
   *
   * @param node production's
   * @param place best-effort's: the same, or another one
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
   * What was read.
   *
   * @param reserve what the moving limit keeps free, MB; 0 where there is none
   */
  Episode.Memory memory(double reserve) {
    int all = Math.max(1, count);
    return new Episode.Memory(
        limit / all, bestEffort / all, production / all, productionPeak, reserve);
  }
}
