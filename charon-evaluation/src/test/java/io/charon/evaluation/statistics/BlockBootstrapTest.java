/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BlockBootstrapTest {
  @Test
  void theEstimateIsTheRatioOfThePercentilesByNearestRank() {
    List<Double> values = IntStream.rangeClosed(1, 200).mapToObj(i -> (double) i).toList();
    List<List<Double>> blocks = List.of(values.subList(0, 50), values.subList(50, 200));

    RatioEstimate ratio =
        BlockBootstrap.percentileRatio(
            List.of(blocks), List.of(List.of(List.of(2.0, 2.0, 2.0))), 99);

    assertThat(ratio.ratio()).isEqualTo(Percentiles.of(values, 99).orElseThrow() / 2);
    assertThat(ratio.low95()).isEqualTo(25);
    assertThat(ratio.high95()).isEqualTo(99.5);
  }

  @Test
  void aDisturbanceInOneBlockCannotBeToldFromChance() {
    List<List<Double>> quiet = Collections.nCopies(20, Collections.nCopies(100, 1.0));
    List<List<Double>> disturbed = new ArrayList<>(quiet);
    disturbed.set(7, Collections.nCopies(100, 50.0));

    RatioEstimate ratio = BlockBootstrap.percentileRatio(List.of(disturbed), List.of(quiet), 99);

    assertThat(ratio).isEqualTo(new RatioEstimate(50, 1, 50));
  }

  @Test
  void theIntervalHoldsTheTrueRatioInNineteenOfTwentyDraws() {
    Random random = new Random(1);
    int held = 0;
    for (int draw = 0; draw < 100; draw++) {
      RatioEstimate ratio =
          BlockBootstrap.percentileRatio(List.of(noisy(random)), List.of(noisy(random)), 90);
      if (ratio.low95() <= 1 && 1 <= ratio.high95()) {
        held++;
      }
    }
    assertThat(held).isBetween(88, 99);
  }

  @Test
  void aDisturbedRepetitionCannotBeToldFromChance() {
    List<List<Double>> quiet = Collections.nCopies(20, Collections.nCopies(100, 1.0));
    List<List<Double>> slow = Collections.nCopies(20, Collections.nCopies(100, 3.0));

    RatioEstimate ratio =
        BlockBootstrap.percentileRatio(
            List.of(quiet, quiet, quiet), List.of(quiet, slow, quiet), 99);

    assertThat(ratio.ratio()).isEqualTo(1);
    assertThat(ratio.low95()).isEqualTo(1.0 / 3);
    assertThat(ratio.high95()).isEqualTo(1);
  }

  @Test
  void theIntervalHoldsTheTrueRatioIfRepetitionsDiffer() {
    Random random = new Random(2);
    int held = 0;
    for (int draw = 0; draw < 40; draw++) {
      RatioEstimate ratio =
          BlockBootstrap.percentileRatio(repetitions(random), repetitions(random), 90);
      if (ratio.low95() <= 1 && 1 <= ratio.high95()) {
        held++;
      }
    }
    assertThat(held).isBetween(34, 40);
  }

  @Test
  void repetitionsWithoutValuesAreRefused() {
    List<List<List<Double>>> one = List.of(List.of(List.of(1.0)));
    for (List<List<List<Double>>> wrong :
        List.<List<List<List<Double>>>>of(
            List.of(),
            List.of(List.of()),
            List.of(List.of(List.of())),
            List.of(one.get(0), one.get(0)))) {
      assertThatThrownBy(() -> BlockBootstrap.percentileRatio(wrong, one, 99))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> BlockBootstrap.percentileRatio(one, wrong, 99))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Returns five repetitions, each with a state of the machine that all its blocks share. */
  private static List<List<List<Double>>> repetitions(Random random) {
    List<List<List<Double>>> repetitions = new ArrayList<>();
    for (int repetition = 0; repetition < 5; repetition++) {
      double state = Math.exp(random.nextGaussian() / 2);
      repetitions.add(
          noisy(random).stream()
              .map(block -> block.stream().map(value -> state * value).toList())
              .toList());
    }
    return repetitions;
  }

  /** Returns blocks whose values share a factor, as the requests of a disturbed second do. */
  private static List<List<Double>> noisy(Random random) {
    List<List<Double>> blocks = new ArrayList<>();
    for (int block = 0; block < 36; block++) {
      double shared = Math.exp(random.nextGaussian() / 2);
      blocks.add(random.doubles(30).mapToObj(own -> shared * (1 + own)).toList());
    }
    return blocks;
  }
}
