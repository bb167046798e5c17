/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/**
 * Selects the strictest of several limits on the same resource. Several mechanisms may limit one
 * resource, each by its own law; the strictest limit is the one that all of them allow.
 */
public final class Strictest {
  private Strictest() {}

  /**
   * Returns the mechanism that allows the smallest amount; among equal ones the first.
   *
   * @param bids the limit that each mechanism allows, by the mechanism's name, in a fixed order
   * @return the name of the mechanism; empty if there are no bids
   */
  public static Optional<String> of(Map<String, Action.SetLimit> bids) {
    return bids.entrySet().stream()
        .min(Comparator.comparingDouble(bid -> bid.getValue().amount()))
        .map(Map.Entry::getKey);
  }
}
