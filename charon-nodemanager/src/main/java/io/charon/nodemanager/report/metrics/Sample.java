/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One value of a metric at one instant.
 *
 * @param suffix suffix of the metric's name: empty, or {@code _bucket}, {@code _sum} or {@code
 *     _count} of a histogram
 * @param labels the labels in order
 * @param value the value in the metric's unit
 */
public record Sample(String suffix, Map<String, String> labels, double value) {
  static Sample of(String suffix, String key, String label, double value) {
    return new Sample(suffix, key.isEmpty() ? Map.of() : Map.of(key, label), value);
  }

  Sample and(String key, String label) {
    Map<String, String> more = new LinkedHashMap<>(labels);
    more.put(key, label);
    return new Sample(suffix, more, value);
  }
}
