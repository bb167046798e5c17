/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.interference.SpeedSeries.Mark;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {
  @Test
  void progressIsHeardAndOtherLinesAreCounted() {
    ProgressLines progress = new ProgressLines();
    assertThat(progress.operations()).isZero();
    progress.hear("touches 64 nanos 1000 waited 10 value 5 latencies 85:1");
    progress.hear("round");
    progress.hear("touches 128 nanos 2000 waited 20 value -5 latencies 85:1 90:1");

    assertThat(progress.lines()).isEqualTo(3);
    assertThat(progress.operations()).isEqualTo(128);
    assertThat(progress.isHeardAfter(2000)).isTrue();
    assertThat(progress.isHeardAfter(2001)).isFalse();
    assertThat(progress.marks()).containsExactly(new Mark(1000, 10, 64), new Mark(2000, 20, 128));
    assertThat(progress.latencies(1000, 2000).counts()).isEqualTo(Map.of(85, 1L, 90, 1L));
    assertThat(progress.latencies(0, 1999).counts()).isEqualTo(Map.of(85, 1L));
  }
}
