/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Several mechanisms may limit the same thing, each by its own law: what all of them allow is what
 * the strictest allows.
 */
public final class Strictest {
  private Strictest() {}

  /**
   * A limit and who wants it.
   *
   * @param mechanism its name
   * @param wanted the limit
   */
  public record Bid(String mechanism, Action.SetLimit wanted) {}

  /**
   * The bid that binds: the smallest amount; of equal ones the first, so that a limit that holds
   * keeps its law.
   *
   * @param bids all for the same limit
   */
  public static Optional<Bid> of(List<Bid> bids) {
    return bids.stream().min(Comparator.comparingDouble(bid -> bid.wanted().amount()));
  }
}
