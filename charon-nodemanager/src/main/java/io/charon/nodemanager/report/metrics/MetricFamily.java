/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import java.util.List;

/**
 * A metric and all its samples at one instant.
 *
 * @param metric the metric
 * @param samples at least one
 */
public record MetricFamily(Metric metric, List<Sample> samples) {
  /** Copies the list. */
  public MetricFamily {
    samples = List.copyOf(samples);
  }
}
