/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class NodeSamplerTest {
  @Test
  void utilizationIsWeightedByTime() {
    List<MemorySample> samples =
        List.of(
            new MemorySample(0, 100, 0, 100),
            new MemorySample(1, 100, 0, 100),
            new MemorySample(5, 0, 0, 100));

    assertThat(NodeSampler.utilization(samples, 5)).isCloseTo(0.6, within(1e-9));
  }

  @Test
  void samplesAfterTheWindowDoNotCount() {
    List<MemorySample> samples =
        List.of(
            new MemorySample(0, 50, 0, 100),
            new MemorySample(1, 50, 0, 100),
            new MemorySample(2, 100, 0, 100));

    assertThat(NodeSampler.utilization(samples, 1.5)).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void oneSampleIsNoMean() {
    assertThat(NodeSampler.utilization(List.of(new MemorySample(0, 1, 1, 1)), 5)).isNaN();
  }
}
