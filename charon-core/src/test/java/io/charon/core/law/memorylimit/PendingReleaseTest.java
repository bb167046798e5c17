/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.memorylimit.KillCandidates.KillCandidate;
import io.charon.core.mechanism.WorkingSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class PendingReleaseTest {
  private static final long SAMPLE = 100_000_000L;
  private static final long START = 1L << 40;

  private final PendingRelease returning = new PendingRelease();

  private static KillCandidate container(String id, long bytes, boolean dying) {
    return new KillCandidate(id, WorkingSet.of(bytes), 1000, true, dying);
  }

  private static KillCandidates of(KillCandidate... all) {
    return new KillCandidates(List.of(all));
  }

  private long sample(int number, long use, KillCandidate... all) {
    return returning.bytes(START + number * SAMPLE, use, of(all));
  }

  @Test
  void aDyingContainerReturnsItsMemory() {
    assertThat(sample(0, 210, container("a", 150, false), container("b", 60, true))).isEqualTo(60);
    assertThat(sample(1, 170, container("a", 150, false), container("b", 20, true))).isEqualTo(20);
    assertThat(sample(2, 150, container("a", 150, false))).isZero();
  }

  @Test
  void anUnlistedVictimCountsUntilTheUseHasFallen() {
    returning.killed(START, container("b", 60, false));
    assertThat(sample(1, 210, container("a", 150, false))).isEqualTo(60);
    assertThat(sample(2, 190, container("a", 150, false))).isEqualTo(40);
    assertThat(sample(3, 150, container("a", 150, false))).isZero();
  }

  @Test
  void aFormerVictimThatStillRunsIsNoVictim() {
    KillCandidate listed = container("b", 60, false);
    returning.killed(START, listed);
    assertThat(sample(1, 210, container("a", 150, false), listed)).isEqualTo(60);
    assertThat(of(listed).victims(50, returning)).isEmpty();
    assertThat(of(listed, container("a", 150, false)).victims(50, returning))
        .extracting(KillCandidate::id)
        .containsExactly("a");
  }

  @Test
  void aVictimThatRunsOnForThreeSecondsMayBeChosenAgain() {
    sample(0, 210, container("b", 60, true));
    for (int i = 1; i <= 30; i++) {
      assertThat(sample(i, 210, container("b", 60, true))).isEqualTo(60);
    }
    KillCandidate stays = container("b", 60, false);
    assertThat(sample(31, 210, stays)).isZero();
    assertThat(of(stays).victims(50, returning)).containsExactly(stays);
  }

  @Test
  void whatDoesNotComeBackForThreeSecondsIsNotWaitedForLonger() {
    returning.killed(START, container("b", 60, false));
    assertThat(sample(1, 210)).isEqualTo(60);
    assertThat(sample(31, 210)).isEqualTo(60);
    assertThat(sample(32, 210)).isZero();
  }

  @Test
  void whatOneGivesBackIsNotTakenForWhatAnotherOwes() {
    sample(0, 210, container("a", 150, true), container("b", 60, true));
    assertThat(sample(1, 110, container("a", 50, true)))
        .as("a gave back 100, and still holds 50; b is gone from the list with its 60")
        .isEqualTo(110);
  }
}
