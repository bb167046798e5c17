/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.forecast;

/**
 * The use and the request of one production container in one sample.
 *
 * @param container its name, the same in each sample
 * @param use its average use over the sample, in bytes or cores; at least 0
 * @param request its reservation, in the same unit; above 0
 */
public record ContainerUse(String container, double use, double request) {
  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public ContainerUse {
    if (!(use >= 0 && use <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException("use must not be negative, was " + use);
    }
    if (!(request > 0 && request <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException("request must be above 0, was " + request);
    }
  }
}
