/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import com.codahale.metrics.ExponentiallyDecayingReservoir;
import com.codahale.metrics.Reservoir;
import com.codahale.metrics.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts values in buckets in addition to Dropwizard's own sample. JMX shows percentiles of the
 * sample, which cannot be summed over nodes; Prometheus gets the counts, which can. Safe for many
 * threads.
 */
final class BucketReservoir implements Reservoir {
  private final Reservoir sample = new ExponentiallyDecayingReservoir();
  private final Buckets buckets;
  private final double[] bounds;
  private final AtomicLongArray counts;
  private final LongAdder sum = new LongAdder();

  /**
   * Creates an empty reservoir.
   *
   * @param buckets the buckets in which values are counted
   */
  BucketReservoir(Buckets buckets) {
    this.buckets = buckets;
    this.bounds = buckets.bounds();
    this.counts = new AtomicLongArray(bounds.length + 1);
  }

  @Override
  public int size() {
    return sample.size();
  }

  @Override
  public void update(long value) {
    int bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket] * buckets.recordedPerUnit()) {
      bucket++;
    }
    counts.incrementAndGet(bucket);
    sum.add(value);
    sample.update(value);
  }

  @Override
  public Snapshot getSnapshot() {
    return sample.getSnapshot();
  }

  /**
   * Returns the counts in Prometheus's form: each bucket includes all values up to its bound, and
   * the last one includes all values.
   *
   * @param key key of the label that identifies this histogram; empty if there is none
   * @param value value of that label
   */
  List<Sample> samples(String key, String value) {
    List<Sample> samples = new ArrayList<>();
    long cumulative = 0;
    for (int bucket = 0; bucket < counts.length(); bucket++) {
      cumulative += counts.get(bucket);
      double bound = bucket < bounds.length ? bounds[bucket] : Double.POSITIVE_INFINITY;
      samples.add(
          Sample.of("_bucket", key, value, (double) cumulative).and("le", PlainNumber.of(bound)));
    }
    samples.add(Sample.of("_sum", key, value, sum.sum() / buckets.recordedPerUnit()));
    samples.add(Sample.of("_count", key, value, (double) cumulative));
    return samples;
  }
}
