/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.report.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Timer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class BucketReservoirTest {
  @Test
  void aBoundBelongsToItsBucket() {
    BucketReservoir reservoir = new BucketReservoir(Buckets.BYTES);
    reservoir.update(1 << 20);
    assertThat(count(reservoir, 0)).isEqualTo(1);

    reservoir.update((1 << 20) + 1);
    assertThat(count(reservoir, 0)).isEqualTo(1);
    assertThat(count(reservoir, 1)).isEqualTo(2);
  }

  @Property
  void bucketsNeverShrinkAndTheLastHoldsAll(
      @ForAll List<@LongRange(min = 0, max = 1L << 40) Long> values) {
    BucketReservoir reservoir = new BucketReservoir(Buckets.WAIT);
    values.forEach(reservoir::update);

    List<Sample> samples = reservoir.samples("", "");
    List<Double> counts =
        samples.stream().filter(s -> s.suffix().equals("_bucket")).map(Sample::value).toList();
    assertThat(counts).isSorted().hasSize(Buckets.WAIT.bounds().length + 1);
    assertThat(counts.get(counts.size() - 1)).isEqualTo(values.size());
    assertThat(samples.get(samples.size() - 1))
        .returns("_count", Sample::suffix)
        .returns((double) values.size(), Sample::value);
    double seconds = values.stream().mapToDouble(Long::doubleValue).sum() / 1e9;
    assertThat(samples.get(samples.size() - 2))
        .returns("_sum", Sample::suffix)
        .returns(seconds, Sample::value);
  }

  @Test
  void percentilesForJmxAreThoseOfDropwizard() {
    Timer timer = new Timer(new BucketReservoir(Buckets.TICK));
    timer.update(7, TimeUnit.MILLISECONDS);

    assertThat(timer.getSnapshot().getMedian()).isEqualTo(7e6);
    assertThat(timer.getCount()).isEqualTo(1);
  }

  @Test
  void boundsAscend() {
    for (Buckets buckets : Buckets.values()) {
      assertThat(buckets.bounds()).as(buckets.name()).isSorted().doesNotHaveDuplicates();
    }
  }

  private static double count(BucketReservoir reservoir, int bucket) {
    return reservoir.samples("", "").get(bucket).value();
  }
}
