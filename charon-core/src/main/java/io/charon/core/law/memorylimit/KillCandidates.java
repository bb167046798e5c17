/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import io.charon.core.kill.VictimChoice.Candidate;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.WorkingSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The best-effort containers that could be killed because of a shortage.
 *
 * @param all all running best-effort containers
 */
public record KillCandidates(List<KillCandidate> all) implements Reading {
  /**
   * A running best-effort container.
   *
   * @param id YARN's container id
   * @param memory its working set
   * @param ageMillis its execution time, not negative
   * @param mortal false for an ApplicationMaster, because its whole job would start again
   * @param dying whether it has been killed: its memory is as good as free
   */
  public record KillCandidate(
      String id, WorkingSet memory, long ageMillis, boolean mortal, boolean dying) {
    /** Returns its working set in bytes. */
    public long bytes() {
      return memory.bytes();
    }
  }

  /** The score of every container that may be killed; they differ in memory and age only. */
  private static final int SCORE = 1000;

  /** Copies the list. */
  public KillCandidates {
    all = List.copyOf(all);
  }

  /** Returns the memory of all running containers, dying or not, in bytes. */
  public long heldBytes() {
    return all.stream().mapToLong(KillCandidate::bytes).sum();
  }

  /** Returns the files in memory of all running containers, in bytes. */
  public long memoryFilesBytes() {
    return all.stream().mapToLong(container -> container.memory().memoryFilesBytes()).sum();
  }

  /**
   * Chooses the containers to kill so that the given amount is released.
   *
   * @param bytes the amount to release
   * @param returning the containers that were dying a moment ago
   * @return containers that are not dying already
   */
  public List<KillCandidate> victims(long bytes, PendingRelease returning) {
    return VictimSelection.choose(
            IntStream.range(0, all.size())
                .filter(number -> !all.get(number).dying())
                .filter(number -> !returning.wasDying(all.get(number).id()))
                .mapToObj(this::candidate)
                .toList(),
            bytes)
        .stream()
        .map(chosen -> all.get((int) chosen.number()))
        .toList();
  }

  private Candidate candidate(int number) {
    KillCandidate container = all.get(number);
    return new Candidate(
        number,
        container.memory().releasedBytes(),
        container.ageMillis(),
        container.mortal() ? SCORE : 0);
  }
}
