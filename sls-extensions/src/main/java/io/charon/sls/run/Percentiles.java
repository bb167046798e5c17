/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import java.util.Collection;

/** Percentiles by nearest rank. */
final class Percentiles {
  private Percentiles() {}

  /** The value of which a percentage is not above; not a number if there are none. */
  static double of(Collection<Double> values, int percent) {
    if (values.isEmpty()) {
      return Double.NaN;
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted[(percent * sorted.length + 99) / 100 - 1];
  }
}
