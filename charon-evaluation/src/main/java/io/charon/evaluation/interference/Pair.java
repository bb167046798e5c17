/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A kind of production beside a kind of best-effort.
 *
 * @param cold whether best-effort has filled the node when production starts; otherwise production
 *     runs and is warm when best-effort starts
 */
public record Pair(Production production, BestEffort bestEffort, boolean cold) {
  private static final String COLD = "cold";

  /**
   * Returns the pair of a name such as mapped:stream or mapped:stream:cold; empty if there is none.
   */
  public static Optional<Pair> of(String name) {
    String[] words = name.split(":", -1);
    boolean cold = words.length == 3 && words[2].equals(COLD);
    if (words.length != 2 && !cold) {
      return Optional.empty();
    }
    return Production.of(words[0])
        .flatMap(
            production ->
                BestEffort.of(words[1])
                    .filter(bestEffort -> !cold || bestEffort.mayComeFirst())
                    .map(bestEffort -> new Pair(production, bestEffort, cold)));
  }

  /** Returns the pairs that are measured by default, in which production reads a mapped file. */
  public static List<Pair> table() {
    List<Pair> pairs = new ArrayList<>();
    for (BestEffort bestEffort :
        List.of(BestEffort.GROWER, BestEffort.STREAM, BestEffort.RANDOM, BestEffort.DIRTY)) {
      pairs.add(new Pair(Production.MAPPED, bestEffort, false));
    }
    for (BestEffort bestEffort : BestEffort.values()) {
      if (bestEffort.mayComeFirst()) {
        pairs.add(new Pair(Production.MAPPED, bestEffort, true));
      }
    }
    return List.copyOf(pairs);
  }

  /** Returns the pairs of {@link #table}, followed by all others. */
  public static List<Pair> all() {
    List<Pair> pairs = new ArrayList<>(table());
    for (Production production : Production.values()) {
      for (BestEffort bestEffort : BestEffort.values()) {
        add(new Pair(production, bestEffort, false), pairs);
        if (bestEffort.mayComeFirst()) {
          add(new Pair(production, bestEffort, true), pairs);
        }
      }
    }
    return List.copyOf(pairs);
  }

  private static void add(Pair pair, List<Pair> pairs) {
    if (!pairs.contains(pair)) {
      pairs.add(pair);
    }
  }

  /** Returns its name. */
  public String name() {
    return production.label() + ":" + bestEffort.label() + (cold ? ":" + COLD : "");
  }
}
