/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import java.util.LinkedHashMap;
import java.util.Map;

/** Counts the items that a reader leaves out on purpose, by reason. */
final class SkippedCounts {
  private final Map<String, Long> counts = new LinkedHashMap<>();

  void add(String reason, long count) {
    if (count > 0) {
      counts.merge(reason, count, Long::sum);
    }
  }

  Map<String, Long> counts() {
    return new LinkedHashMap<>(counts);
  }
}
