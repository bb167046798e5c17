/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyCountsTest {
  @ParameterizedTest
  @ValueSource(longs = {8, 9, 15, 16, 17, 1000, 1023, 1024, 123_456_789, Long.MAX_VALUE})
  void aBucketIsAtMostAnEighthWide(long nanos) {
    double least = LatencyCounts.nanosOf(LatencyCounts.bucketOf(nanos));
    assertThat(least).isLessThanOrEqualTo((double) nanos);
    assertThat(nanos - least).isLessThanOrEqualTo(least / 8);
  }

  @Test
  void theShortestShareABucket() {
    assertThat(LatencyCounts.bucketOf(0)).isEqualTo(LatencyCounts.bucketOf(8));
  }

  @Test
  void percentilesAreThoseOfAll() {
    LatencyCounts counts = LatencyCounts.parse(" 80:98").and(LatencyCounts.parse("80:1 160:1"));
    assertThat(counts.counts()).isEqualTo(Map.of(80, 99L, 160, 1L));
    assertThat(counts.percentile(99)).hasValue(LatencyCounts.nanosOf(80));
    assertThat(counts.percentile(99.5)).hasValue(LatencyCounts.nanosOf(160));
    assertThat(LatencyCounts.none().percentile(99)).isEmpty();
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> LatencyCounts.parse("80"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'80'");
  }
}
