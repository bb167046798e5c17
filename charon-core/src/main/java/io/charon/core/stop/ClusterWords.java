/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.stop;

import java.util.Comparator;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What a node has heard of the cluster's ResourceManagers, each of which speaks for the file of its
 * own host. The newest word counts, whoever of them is active: so a failover to one that never
 * heard of a stop resumes nothing, and to stop or to resume it is enough to say so to one. A
 * ResourceManager that is silent is taken at its last word. Wall clock, because words outlive
 * processes. Not thread-safe.
 */
public final class ClusterWords {
  private final Map<String, StopOrder> words = new TreeMap<>();
  private OptionalLong heardMillis = OptionalLong.empty();

  /**
   * A ResourceManager answered; what it said before is forgotten.
   *
   * @param server who
   * @param order what the file of its host says; {@link StopOrder#never} if nothing
   * @param nowMillis now, milliseconds since 1970
   */
  public void heard(String server, StopOrder order, long nowMillis) {
    words.put(server, order);
    heardMillis = OptionalLong.of(nowMillis);
  }

  /** What holds in the cluster. */
  public StopOrder order() {
    return words.values().stream()
        .max(Comparator.comparing(StopOrder::since).thenComparing(StopOrder::action))
        .orElse(StopOrder.never());
  }

  /** Who said that; empty if nobody said anything. */
  public String server() {
    StopOrder order = order();
    return words.entrySet().stream()
        .filter(word -> word.getValue().equals(order))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("");
  }

  /** When any of them answered last, milliseconds since 1970; empty if none ever did. */
  public OptionalLong heardMillis() {
    return heardMillis;
  }
}
