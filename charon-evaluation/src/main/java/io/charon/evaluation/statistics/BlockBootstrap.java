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
 * overlap). Neither are the blocks of one repetition, because the machine is in another state in
 * the next one. So repetitions are drawn first, and blocks within each (Davison and Hinkley 1997,
 * "Bootstrap Methods and their Application", section 3.8).
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
   * Estimates the ratio of a percentile of one series to the same percentile of another: the median
   * over the repetitions of the ratio within each, because both were measured next to each other in
   * the same state of the machine.
   *
   * @param repetitions the blocks of each repetition, with at least one value in each block
   * @param references the blocks of the other series; equal positions are the same repetition
   * @param percent above 0, at most 100
   * @throws IllegalArgumentException if there are no repetitions or not as many of both, a
   *     repetition has no blocks, or a block is empty
   */
  public static RatioEstimate percentileRatio(
      List<List<List<Double>>> repetitions, List<List<List<Double>>> references, double percent) {
    int count = repetitions.size();
    if (count == 0 || references.size() != count) {
      throw new IllegalArgumentException(
          "need pairs of repetitions, got " + count + " and " + references.size());
    }
    List<BlockBootstrap> values = repetitions.stream().map(BlockBootstrap::of).toList();
    List<BlockBootstrap> reference = references.stream().map(BlockBootstrap::of).toList();
    List<Double> measured = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      measured.add(
          values.get(i).percentile(values.get(i).once(), percent)
              / reference.get(i).percentile(reference.get(i).once(), percent));
    }
    Random random = new Random(RatioEstimate.SEED);
    List<Double> medians = new ArrayList<>();
    for (int resample = 0; resample < RESAMPLES; resample++) {
      List<Double> ratios = new ArrayList<>();
      for (int draw = 0; draw < count; draw++) {
        int i = random.nextInt(count);
        ratios.add(
            values.get(i).percentile(values.get(i).draw(random), percent)
                / reference.get(i).percentile(reference.get(i).draw(random), percent));
      }
      medians.add(Percentiles.median(ratios).orElseThrow());
    }
    return RatioEstimate.of(Percentiles.median(measured).orElseThrow(), medians);
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
