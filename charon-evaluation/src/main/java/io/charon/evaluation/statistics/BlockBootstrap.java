/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Values of a series, in blocks of time. Neighbouring values are not independent: one disturbance
 * delays hundreds of requests. So the bootstrap draws whole blocks, with replacement (Künsch 1989,
 * "The jackknife and the bootstrap for general stationary observations"; here blocks that do not
 * overlap).
 */
public final class BlockBootstrap {
  private static final int RESAMPLES = 2_000;

  /** A value and the block that it belongs to. */
  private record Value(double value, int block) {}

  private final List<Value> descending = new ArrayList<>();
  private final int[] sizes;

  private BlockBootstrap(Collection<List<Double>> blocks) {
    sizes = blocks.stream().mapToInt(List::size).toArray();
    int block = 0;
    for (List<Double> values : blocks) {
      for (double value : values) {
        descending.add(new Value(value, block));
      }
      block++;
    }
    descending.sort(Comparator.comparingDouble(Value::value).reversed());
  }

  /**
   * Estimates the ratio of a percentile of one series to the same percentile of another.
   *
   * @param blocks the values of each block, at least one value each
   * @param references the blocks of the other series
   * @param percent above 0, at most 100
   * @throws IllegalArgumentException if there are no blocks, or one is empty
   */
  public static RatioEstimate percentileRatio(
      Collection<List<Double>> blocks, Collection<List<Double>> references, double percent) {
    BlockBootstrap values = of(blocks);
    BlockBootstrap reference = of(references);
    Random random = new Random(RatioEstimate.SEED);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < RESAMPLES; i++) {
      ratios.add(
          values.percentile(values.draw(random), percent)
              / reference.percentile(reference.draw(random), percent));
    }
    return RatioEstimate.of(
        values.percentile(values.once(), percent) / reference.percentile(reference.once(), percent),
        ratios);
  }

  private static BlockBootstrap of(Collection<List<Double>> blocks) {
    if (blocks.isEmpty() || blocks.stream().anyMatch(List::isEmpty)) {
      throw new IllegalArgumentException("need blocks with values");
    }
    return new BlockBootstrap(blocks);
  }

  /** Returns how often each block counts if every block counts once. */
  private int[] once() {
    int[] times = new int[sizes.length];
    Arrays.fill(times, 1);
    return times;
  }

  /** Draws as many blocks as there are; returns how often each was drawn. */
  private int[] draw(Random random) {
    int[] times = new int[sizes.length];
    for (int i = 0; i < sizes.length; i++) {
      times[random.nextInt(sizes.length)]++;
    }
    return times;
  }

  /** Returns the percentile by nearest rank, as {@link Percentiles} does. */
  private double percentile(int[] times, double percent) {
    long count = 0;
    for (int block = 0; block < sizes.length; block++) {
      count += (long) times[block] * sizes[block];
    }
    long above = count - Math.max(1, (long) Math.ceil(percent / 100 * count));
    long passed = 0;
    for (Value value : descending) {
      passed += times[value.block()];
      if (passed > above) {
        return value.value();
      }
    }
    throw new IllegalStateException("ranks end below the count of values");
  }
}
