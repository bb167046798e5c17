/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Checks the arithmetic with cases that can be computed by hand. */
class RegressionTest {
  private static double[] noise(long seed, int count, double keeps) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] noise = new double[count];
    for (int t = 1; t < count; t++) {
      noise[t] = keeps * noise[t - 1] + random.nextGaussian();
    }
    return noise;
  }

  private static int[] run(int count) {
    int[] position = new int[count];
    Arrays.setAll(position, t -> t);
    return position;
  }

  @Test
  void aColumnThatOthersExplainAddsNothing() {
    double[] one = {1, 1, 1, 1};
    double[] rising = {0, 1, 2, 3};
    double[] both = {2, 3, 4, 5};
    Orthonormal known = new Orthonormal(List.of(one, rising, both, new double[4]));
    assertThat(known.rank()).isEqualTo(2);
    assertThat(known.residual(new double[] {5, 7, 9, 11})).containsExactly(zeros(), within(1e-12));
    assertThat(known.residual(new double[] {1, 0, 0, 1}))
        .containsExactly(new double[] {0.5, -0.5, -0.5, 0.5}, within(1e-12));
  }

  private static double[] zeros() {
    return new double[4];
  }

  /** y = 3 x + 2 z + 1, exactly. */
  @Test
  void theSlopeIsThatBesideTheOthers() {
    double[] one = {1, 1, 1, 1, 1};
    double[] other = {0, 1, 4, 9, 16};
    double[] bestEffort = {1, 5, 2, 7, 3};
    double[] value = new double[5];
    Arrays.setAll(value, t -> 3 * bestEffort[t] + 2 * other[t] + 1);
    Fit fit = Fit.of(new Series(value, bestEffort, List.of(one, other)));
    assertThat(fit.slope()).isCloseTo(3, within(1e-12));
    assertThat(fit.residual()).containsExactly(new double[5], within(1e-10));
  }

  @Test
  void theNoiseOfAnAutoregressionIsFoundAndTakenOff() {
    double[] noise = noise(3, 20_000, 0.9);
    Autoregression model = Autoregression.of(noise, run(noise.length), 20);
    assertThat(model.order()).isBetween(1, 2);
    double[] white = model.whiten(noise, run(noise.length));
    assertThat(white).hasSize(noise.length - model.order());
    double left = 0;
    double variance = 0;
    for (int t = 1; t < white.length; t++) {
      left += white[t] * white[t - 1];
      variance += white[t] * white[t];
    }
    assertThat(left / variance).isCloseTo(0, within(0.03));
    assertThat(variance / white.length).isCloseTo(1, within(0.05));
    assertThat(Autoregression.of(noise(3, 20_000, 0), run(20_000), 20).order()).isZero();
    assertThat(Autoregression.of(new double[50], run(50), 5).order()).isZero();
  }

  @Test
  void whitenedSeriesDoNotReachOverGaps() {
    double[] noise = noise(5, 4000, 0.9);
    int[] position = new int[noise.length];
    Arrays.setAll(position, t -> t % 10);
    Autoregression model = Autoregression.of(noise, position, 3);
    assertThat(model.order()).isPositive();
    assertThat(model.whiten(noise, position)).hasSize(400 * (10 - model.order()));
  }

  /**
   * The sum of n independent terms of variance 1 has variance n; that of an AR(1) process is known,
   * too.
   */
  @Test
  void theLongRunVarianceCountsWhatGoesOn() {
    int count = 20_000;
    assertThat(LongRunVariance.of(centred(noise(1, count, 0))) / count).isCloseTo(1, within(0.15));
    assertThat(LongRunVariance.of(centred(noise(1, count, 0.5))) / count).isCloseTo(4, within(0.6));
    assertThat(LongRunVariance.terms(2880)).isEqualTo(80);
  }

  private static double[] centred(double[] noise) {
    double mean = Arrays.stream(noise).average().orElseThrow();
    return Arrays.stream(noise).map(value -> value - mean).toArray();
  }
}
