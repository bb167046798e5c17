/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import io.charon.core.kill.VictimChoice;
import io.charon.core.kill.VictimChoice.Candidate;
import io.charon.core.kill.VictimChoice.Policy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the containers to kill for a shortage. Of those whose death alone covers it, the one that
 * releases the least memory is chosen; if there is none, the one that releases the most relative to
 * its execution time, and so on for the rest. Only the memory that a kill releases counts, not
 * clean page cache.
 */
public final class VictimSelection {
  /** Maximum number of kills per sample. Our choice. */
  private static final int MAX = 5;

  private static final VictimChoice LARGEST_FOR_ITS_TIME = new VictimChoice(Policy.MEMORY_PER_TIME);

  private VictimSelection() {}

  /**
   * Chooses the victims.
   *
   * @param candidates best-effort containers that are not dying; those with a score of 0 or less
   *     are never chosen
   * @param bytes the amount to release
   */
  public static List<Candidate> choose(List<Candidate> candidates, long bytes) {
    List<Candidate> left =
        new ArrayList<>(
            candidates.stream().filter(c -> c.score() > 0 && c.freesBytes() > 0).toList());
    List<Candidate> chosen = new ArrayList<>();
    long missing = bytes;
    while (missing > 0 && chosen.size() < MAX && !left.isEmpty()) {
      Candidate victim = next(left, missing);
      chosen.add(victim);
      left.remove(victim);
      missing -= victim.freesBytes();
    }
    return chosen;
  }

  private static Candidate next(List<Candidate> left, long missing) {
    Optional<Candidate> alone =
        left.stream()
            .filter(candidate -> candidate.freesBytes() >= missing)
            .min(
                Comparator.comparingLong(Candidate::freesBytes)
                    .thenComparing(Comparator.comparingLong(Candidate::number).reversed()));
    return alone.orElseGet(() -> LARGEST_FOR_ITS_TIME.choose(left).orElseThrow());
  }
}
