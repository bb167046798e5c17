/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.stop;

import java.time.Duration;

/** What an order stops. */
public enum StopScope {
  /** One node, by its overrides file, as {@code charon stop} does. */
  NODE("node", Duration.ofSeconds(1), Duration.ofSeconds(3)),
  /** All nodes, by the ResourceManager's stop file, as {@code charon stop --cluster} does. */
  CLUSTER("cluster", Duration.ofSeconds(6), Duration.ofSeconds(9));

  private final String label;
  private final Duration limit;
  private final Duration watched;

  StopScope(String label, Duration limit, Duration watched) {
    this.label = label;
    this.limit = limit;
    this.watched = watched;
  }

  String label() {
    return label;
  }

  /** Returns the longest time from the order to the last launch that is allowed. */
  Duration limit() {
    return limit;
  }

  /** Returns for how long launches are watched after an order; longer than the limit. */
  Duration watched() {
    return watched;
  }
}
