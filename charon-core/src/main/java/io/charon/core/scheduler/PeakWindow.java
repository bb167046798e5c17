/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** The newest peaks of a job, and a percentile of them in which older ones have less weight. */
final class PeakWindow {
  private final int size;
  private final ToLongFunction<PeakSample> value;
  private final Deque<PeakSample> samples = new ArrayDeque<>();

  /** The last percentile, which is asked for far more often than the peaks change. */
  private Percentile last = Percentile.NONE;

  private record Percentile(int percent, PeakDecay decay, long fromMillis, long value) {
    static final Percentile NONE = new Percentile(0, PeakDecay.OFF, 0, 0);

    boolean isOf(int wanted, PeakDecay by, long from) {
      return percent == wanted && decay.equals(by) && fromMillis == from;
    }
  }

  /**
   * Creates an empty window.
   *
   * @param size number of peaks kept, at least 1
   * @param value the number of a peak of which the percentile is computed
   */
  PeakWindow(int size, ToLongFunction<PeakSample> value) {
    this.size = size;
    this.value = value;
  }

  /** Adds a peak that was just measured; a full window drops its first one. */
  void add(PeakSample sample) {
    if (samples.size() == size) {
      samples.removeFirst();
    }
    samples.addLast(sample);
    last = Percentile.NONE;
  }

  /**
   * Adds peaks that other nodes have measured, ordered by time, except those that are already
   * known. A full window drops its first ones.
   *
   * @param others the peaks of other nodes
   * @param nowMillis the current time; later peaks are ordered as if they had this time
   */
  void merge(List<PeakSample> others, long nowMillis) {
    List<PeakSample> unknown =
        others.stream().filter(other -> samples.stream().noneMatch(other::isSame)).toList();
    List<PeakSample> byTime =
        Stream.concat(samples.stream(), unknown.stream())
            .sorted(Comparator.comparingLong(known -> Math.min(known.atMillis(), nowMillis)))
            .toList();
    samples.clear();
    samples.addAll(byTime.subList(Math.max(0, byTime.size() - size), byTime.size()));
    last = Percentile.NONE;
  }

  int count() {
    return samples.size();
  }

  /** Returns the peaks, oldest first. */
  List<PeakSample> samples() {
    return List.copyOf(samples);
  }

  /**
   * Returns the percentile by nearest rank: the smallest value that, together with all smaller
   * ones, has the wanted share of the weight. Ages are relative to the newest peak, which scales
   * all weights alike and so does not change the result.
   *
   * @param percent 1 to 100
   * @param decay the weight of peaks by age
   * @param nowMillis the current time: a peak with a later time, from before the clock was set
   *     back, has no age
   */
  long percentile(int percent, PeakDecay decay, long nowMillis) {
    long fromMillis = decay.isOff() ? 0 : Math.min(newestMillis(), nowMillis);
    if (!last.isOf(percent, decay, fromMillis)) {
      long value = decay.isOff() ? nearestRank(percent) : weighed(percent, decay, fromMillis);
      last = new Percentile(percent, decay, fromMillis, value);
    }
    return last.value();
  }

  private long newestMillis() {
    return samples.stream().mapToLong(PeakSample::atMillis).max().orElseThrow();
  }

  private long weighed(int percent, PeakDecay decay, long fromMillis) {
    record Weighed(long value, long weight) {}
    Weighed[] sorted =
        samples.stream()
            .map(
                sample ->
                    new Weighed(
                        value.applyAsLong(sample),
                        decay.weight(Math.max(0, fromMillis - sample.atMillis()))))
            .sorted(Comparator.comparingLong(Weighed::value))
            .toArray(Weighed[]::new);
    // 1,000 full weights of 2^32, times 100, are far below 2^63.
    long wanted = percent * Arrays.stream(sorted).mapToLong(Weighed::weight).sum();
    long reached = 0;
    for (Weighed weighed : sorted) {
      reached += 100 * weighed.weight();
      if (reached >= wanted) {
        return weighed.value();
      }
    }
    throw new IllegalStateException("the total weight is below a share of it");
  }

  private long nearestRank(int percent) {
    long[] sorted = samples.stream().mapToLong(value).sorted().toArray();
    // Integer arithmetic: 0.07 * 100 is more than 7 in floating point, and its ceiling is the wrong
    // rank.
    int rank = (percent * sorted.length + 99) / 100;
    return sorted[rank - 1];
  }
}
