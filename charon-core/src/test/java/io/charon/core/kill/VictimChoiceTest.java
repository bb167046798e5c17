/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.charon.core.kill.VictimChoice.Candidate;
import io.charon.core.kill.VictimChoice.Policy;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class VictimChoiceTest {
  private final VictimChoice byMemory = new VictimChoice(Policy.MEMORY_PER_TIME);
  private final VictimChoice byScore = new VictimChoice(Policy.SCORE);

  @Provide
  Arbitrary<List<Candidate>> candidates() {
    return Combinators.combine(
            Arbitraries.longs().between(1, 9),
            Arbitraries.longs().between(0, 1L << 53),
            Arbitraries.longs().between(0, 1L << 40),
            Arbitraries.integers().between(-1000, 1000))
        .as(Candidate::new)
        .list()
        .ofMaxSize(20);
  }

  @Property
  void noContainerWithoutAPositiveScoreIsKilled(
      @ForAll("candidates") List<Candidate> candidates, @ForAll Policy policy) {
    new VictimChoice(policy)
        .choose(candidates)
        .ifPresent(
            victim -> {
              assertThat(victim.score()).isPositive();
              assertThat(candidates).contains(victim);
            });
  }

  @Property
  void aContainerIsKilledIfAndOnlyIfOneMayBe(
      @ForAll("candidates") List<Candidate> candidates, @ForAll Policy policy) {
    assertThat(new VictimChoice(policy).choose(candidates).isPresent())
        .isEqualTo(candidates.stream().anyMatch(candidate -> candidate.score() > 0));
  }

  @Property
  void noCandidateRanksAboveTheVictim(
      @ForAll("candidates") List<Candidate> candidates, @ForAll Policy policy) {
    VictimChoice choice = new VictimChoice(policy);
    choice
        .choose(candidates)
        .ifPresent(
            victim ->
                assertThat(candidates)
                    .allSatisfy(
                        other ->
                            assertThat(choice.rank(other))
                                .isLessThanOrEqualTo(choice.rank(victim))));
  }

  @Test
  void theLargeAndYoungDies() {
    Candidate old = new Candidate(1, 4L << 30, 3_600_000, 900);
    Candidate young = new Candidate(2, 1L << 30, 10_000, 100);
    assertThat(byMemory.choose(List.of(old, young))).hasValue(young);
    assertThat(byScore.choose(List.of(old, young))).hasValue(old);
  }

  @Test
  void aNewContainerCountsAsThreeSecondsOld() {
    Candidate newborn = new Candidate(1, 20L << 20, 100, 900);
    Candidate guilty = new Candidate(2, 300L << 20, 20_000, 100);
    assertThat(byMemory.choose(List.of(newborn, guilty))).hasValue(guilty);
    assertThat(byMemory.rank(newborn)).isEqualTo(byMemory.rank(new Candidate(1, 20L << 20, 0, 1)));
  }

  @Test
  void pageCacheCountsOnlyWhereItIsMissingAndItsOwnerRefillsIt() {
    assertThat(VictimChoice.freesBytes(10, 100, true, true)).isEqualTo(110);
    assertThat(VictimChoice.freesBytes(10, 100, true, false)).isEqualTo(10);
    assertThat(VictimChoice.freesBytes(10, 100, false, true)).isEqualTo(10);
  }

  @Test
  void ofEqualsTheLargerThenTheYoungerDies() {
    Candidate small = new Candidate(3, 1 << 20, 1_000, 500);
    Candidate large = new Candidate(1, 1 << 21, 1_000, 500);
    Candidate younger = new Candidate(2, 1 << 21, 1_000, 500);
    assertThat(byScore.choose(List.of(small, younger, large))).hasValue(younger);
  }

  @Test
  void refusesValuesOutOfRange() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Candidate(1, -1, 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new Candidate(1, 0, -1, 1));
  }
}
