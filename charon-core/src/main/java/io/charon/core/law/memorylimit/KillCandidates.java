/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import io.charon.core.kill.VictimChoice.Candidate;
import io.charon.core.mechanism.Reading;
import java.util.List;

/**
 * The best-effort containers that a shortage could be taken from.
 *
 * @param all those that run
 */
public record KillCandidates(List<KillCandidate> all) implements Reading {
  /**
   * A container.
   *
   * @param id YARN's container id
   * @param bytes what its death frees: its working set
   * @param ageMillis its execution time, not negative
   * @param mortal false: an ApplicationMaster, whose whole job would begin anew
   * @param dying whether somebody killed it: its memory is as good as free
   */
  public record KillCandidate(
      String id, long bytes, long ageMillis, boolean mortal, boolean dying) {}

  /** What somebody may die for, whose death frees the most suitable amount; of two the younger. */
  private static final int SCORE = 1000;

  /** Copies the list. */
  public KillCandidates {
    all = List.copyOf(all);
  }

  /** What those hold who run, dying or not, bytes. */
  public long heldBytes() {
    return all.stream().mapToLong(KillCandidate::bytes).sum();
  }

  /**
   * Who dies so that others have so much more.
   *
   * @param bytes to be freed
   * @param returning who was dying a moment ago
   * @return nobody that is dying already
   */
  public List<KillCandidate> victims(long bytes, ReturningMemory returning) {
    return Victims.choose(
            all.stream()
                .filter(candidate -> !candidate.dying() && !returning.wasDying(candidate.id()))
                .map(this::candidate)
                .toList(),
            bytes)
        .stream()
        .map(chosen -> all.get((int) chosen.number()))
        .toList();
  }

  private Candidate candidate(KillCandidate container) {
    return new Candidate(
        all.indexOf(container),
        container.bytes(),
        container.ageMillis(),
        container.mortal() ? SCORE : 0);
  }
}
