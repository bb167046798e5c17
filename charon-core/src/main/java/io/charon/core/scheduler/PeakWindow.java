/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The newest peaks of a job, and a percentile of them in which older ones have less weight. Peaks
 * that other nodes have told never take the place of this node's own, and never make the percentile
 * smaller than that of its own once these are enough. Our choice.
 */
final class PeakWindow {
  private final int size;
  private final ToLongFunction<PeakSample> value;
  private final Deque<PeakSample> samples = new ArrayDeque<>();

  private final int percent;
  private final PeakDecay decay;

  /** The last percentile, which is asked for far more often than the peaks change. */
  private Optional<Percentile> last = Optional.empty();

  /** A percentile in which ages count from a time, milliseconds. */
  private record Percentile(long fromMillis, long value) {}

  /**
   * Creates an empty window.
   *
   * @param size number of peaks kept, at least 1
   * @param value the number of a peak of which the percentile is computed
   * @param percent the percentile, 1 to 100
   * @param decay the weight of peaks by age
   */
  PeakWindow(int size, ToLongFunction<PeakSample> value, int percent, PeakDecay decay) {
    this.size = size;
    this.value = value;
    this.percent = percent;
    this.decay = decay;
  }

  /** Adds a newer peak; a full window drops its first one of another node, else its first one. */
  void add(PeakSample sample) {
    samples.addLast(sample);
    dropExcess();
  }

  /**
   * Adds peaks that other nodes have measured, ordered by time, except those that are already
   * known. A full window drops the first ones of other nodes.
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
    samples.addAll(byTime);
    dropExcess();
  }

  private void dropExcess() {
    while (samples.size() > size) {
      samples.remove(
          samples.stream()
              .filter(sample -> !sample.own())
              .findFirst()
              .orElseGet(samples::getFirst));
    }
    last = Optional.empty();
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
   * all weights alike and so does not change the result. If enough peaks are this node's own, the
   * result is at least their percentile.
   *
   * @param nowMillis the current time: a peak with a later time, from before the clock was set
   *     back, has no age
   */
  long percentile(long nowMillis) {
    long fromMillis = decay.isOff() ? 0 : Math.min(newestMillis(samples), nowMillis);
    if (last.isEmpty() || last.get().fromMillis() != fromMillis) {
      last = Optional.of(new Percentile(fromMillis, atLeastOwn(fromMillis)));
    }
    return last.get().value();
  }

  private long atLeastOwn(long nowMillis) {
    long ofAll = percentileOf(samples, nowMillis);
    List<PeakSample> own = samples.stream().filter(PeakSample::own).toList();
    return own.size() == samples.size() || own.size() < Math.min(PeakProfile.MINIMUM_SAMPLES, size)
        ? ofAll
        : Math.max(ofAll, percentileOf(own, nowMillis));
  }

  private long percentileOf(Collection<PeakSample> some, long nowMillis) {
    return decay.isOff()
        ? nearestRank(some)
        : weighed(some, Math.min(newestMillis(some), nowMillis));
  }

  private static long newestMillis(Collection<PeakSample> some) {
    return some.stream().mapToLong(PeakSample::atMillis).max().orElseThrow();
  }

  private long weighed(Collection<PeakSample> some, long fromMillis) {
    record Weighed(long value, long weight) {}
    Weighed[] sorted =
        some.stream()
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

  private long nearestRank(Collection<PeakSample> some) {
    long[] sorted = some.stream().mapToLong(value).sorted().toArray();
    // Integer arithmetic: 0.07 * 100 is more than 7 in floating point, and its ceiling is the wrong
    // rank.
    int rank = (percent * sorted.length + 99) / 100;
    return sorted[rank - 1];
  }
}
