/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.sls.node.NodeUsage;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class MemoryHistoryTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void aWeekStaysSmallAndKeepsItsAverages() {
    MemoryHistory history = new MemoryHistory();
    long now = 0;
    int asked = 0;
    while (now < 7 * 24 * 3600 * SECOND) {
      now += 7 * SECOND;
      if (history.isDue(now)) {
        asked++;
        // A constant use of 3 of 4 requested; production uses 1 of 2.
        history.add(now, new NodeUsage(3.0 * now, 3.0 * now, 4.0 * now, 1.0 * now, 2.0 * now));
      }
    }
    List<MemorySample> samples = history.samples();
    assertThat(samples).hasSizeBetween(250, 512);
    assertThat(asked).isLessThan(5000);
    double before = 0;
    for (MemorySample sample : samples) {
      assertThat(sample.seconds()).isGreaterThan(before);
      before = sample.seconds();
      assertThat(sample.usedBytes()).isCloseTo(3, Offset.offset(1e-6));
      assertThat(sample.allocatedBytes()).isCloseTo(4, Offset.offset(1e-6));
      assertThat(sample.productionUsedBytes()).isCloseTo(1, Offset.offset(1e-6));
      assertThat(sample.productionAllocatedBytes()).isCloseTo(2, Offset.offset(1e-6));
    }
  }
}
