/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes the kill scores of best-effort containers: the rank of their application among the
 * applications of the node, highest for the newest (Charon paper, section 3.3).
 */
final class ApplicationRanks {
  private static final int HIGHEST = 1000;

  private ApplicationRanks() {}

  /**
   * Returns the score of each application.
   *
   * @param applicationIds YARN's application ids, in any order; duplicates are allowed
   * @return scores of 1 to 1000 by application id; with more than 1000 applications the oldest
   *     share the score 1
   */
  static Map<String, Integer> of(Collection<String> applicationIds) {
    List<String> newestFirst =
        applicationIds.stream().distinct().sorted(oldestFirst().reversed()).toList();
    Map<String, Integer> ranks = new HashMap<>();
    int newest = Math.min(HIGHEST, newestFirst.size());
    for (int i = 0; i < newestFirst.size(); i++) {
      ranks.put(newestFirst.get(i), Math.max(1, newest - i));
    }
    return ranks;
  }

  /** Compares by age. YARN numbers applications in order, with four digits or more if needed. */
  private static Comparator<String> oldestFirst() {
    return Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());
  }
}
