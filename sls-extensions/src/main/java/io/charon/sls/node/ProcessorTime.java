/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.ResourceUse;
import java.util.List;

/** Adds up the processor time that each side used since it was last taken. */
final class ProcessorTime {
  private double productionCoreNanos;
  private double bestEffortCoreNanos;
  private long elapsedNanos;

  /**
   * Adds a time in which the containers had constant shares.
   *
   * @param running the running containers
   * @param shares the share of its demand that each of them got, in their order
   * @param nanos the length of the time
   */
  void add(List<NodeContainer> running, double[] shares, long nanos) {
    for (int i = 0; i < shares.length; i++) {
      NodeContainer container = running.get(i);
      if (!container.isDying()) {
        double used = container.usedCores() * shares[i] * nanos;
        if (container.isBestEffort()) {
          bestEffortCoreNanos += used;
        } else {
          productionCoreNanos += used;
        }
      }
    }
    elapsedNanos += nanos;
  }

  /**
   * Returns the cores that each side used on average, and starts anew.
   *
   * @param cores cores of the node
   */
  ResourceUse take(double cores) {
    ResourceUse use =
        new ResourceUse(
            mean(productionCoreNanos), mean(bestEffortCoreNanos), Measurement.of(cores));
    productionCoreNanos = 0;
    bestEffortCoreNanos = 0;
    elapsedNanos = 0;
    return use;
  }

  private Measurement mean(double coreNanos) {
    return elapsedNanos > 0
        ? Measurement.of(coreNanos / elapsedNanos)
        : Measurement.missing("the first reading");
  }
}
