/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A synthetic service with a known effect of best-effort. In intervals of 30 s, its load has a
 * daily cycle, best-effort jobs come and go on the idle part, and the value, modelled on cycles per
 * instruction, grows with the load and, by the known effect, with best-effort. The noise of the
 * value is correlated.
 *
 * @param effect relative increase of the value from best-effort's 10th percentile to its 90th
 * @param days length of the recording
 * @param noise standard deviation of the noise, relative to the value
 * @param noiseMinutes time after which the correlation of the noise has fallen to 1/e
 * @param jobMinutes the same time for best-effort's demand
 */
public record SyntheticService(
    double effect, double days, double noise, double noiseMinutes, double jobMinutes) {
  private static final double STEP_SECONDS = 30;
  private static final double SECONDS_PER_DAY = 86_400;
  private static final double LOAD_MINUTES = 10;
  private static final double VALUE = 1.2;
  private static final double STEEPNESS = 0.5;

  /**
   * Draws a recording.
   *
   * @param seed equal seeds give equal recordings
   */
  public List<Interval> draw(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int count = (int) Math.round(days * SECONDS_PER_DAY / STEP_SECONDS);
    double[] loads = new double[count];
    double[] bestEffort = new double[count];
    double[] noises = new double[count];
    Ar1Process load = new Ar1Process(random.split(), LOAD_MINUTES);
    Ar1Process jobs = new Ar1Process(random.split(), jobMinutes);
    Ar1Process noisy = new Ar1Process(random.split(), noiseMinutes);
    for (int t = 0; t < count; t++) {
      double day = Math.sin(2 * Math.PI * t * STEP_SECONDS / SECONDS_PER_DAY);
      loads[t] = Math.min(0.95, Math.max(0.05, 0.4 + 0.2 * day + 0.08 * load.next()));
      double wanted = 1 / (1 + Math.exp(-1.5 * jobs.next()));
      bestEffort[t] = Math.min(wanted, 1 - loads[t]);
      noises[t] = noise * noisy.next();
    }
    double[] sorted = bestEffort.clone();
    Arrays.sort(sorted);
    double little = sorted[(int) Math.round(0.1 * (count - 1))];
    double much = sorted[(int) Math.round(0.9 * (count - 1))];
    List<Interval> intervals = new ArrayList<>(count);
    for (int t = 0; t < count; t++) {
      double slower = Math.pow(1 + effect, (bestEffort[t] - little) / (much - little));
      double value = VALUE * (1 + STEEPNESS * loads[t] * loads[t]) * slower * Math.exp(noises[t]);
      intervals.add(new Interval(t * STEP_SECONDS, value, loads[t], bestEffort[t]));
    }
    return intervals;
  }

  /** A standard normal AR(1) process. */
  private static final class Ar1Process {
    private final SplittableRandom random;
    private final double coefficient;
    private double now;

    Ar1Process(SplittableRandom random, double minutes) {
      this.random = random;
      this.coefficient = Math.exp(-STEP_SECONDS / (60 * minutes));
      this.now = random.nextGaussian();
    }

    double next() {
      now = coefficient * now + Math.sqrt(1 - coefficient * coefficient) * random.nextGaussian();
      return now;
    }
  }
}
