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
 * Several mechanisms may limit the same thing, each by its own law: what all of them allow is what
 * the strictest allows.
 */
public final class Strictest {
  private Strictest() {}

  /**
   * Who binds: the smallest amount; of equal ones the first.
   *
   * @param bids what each mechanism allows of the same thing, by its name, in a fixed order
   * @return its name; empty if nobody limits
   */
  public static Optional<String> of(Map<String, Action.SetLimit> bids) {
    return bids.entrySet().stream()
        .min(Comparator.comparingDouble(bid -> bid.getValue().amount()))
        .map(Map.Entry::getKey);
  }
}
