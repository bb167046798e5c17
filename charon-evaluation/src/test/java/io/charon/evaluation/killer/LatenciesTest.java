/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatenciesTest {
  @Test
  void nothingMeasuredIsNothingSaid() {
    Latencies none = new Latencies(List.of());
    assertThat(none.p50()).isEmpty();
    assertThat(none.p90()).isEmpty();
    assertThat(none.p99()).isEmpty();
    assertThat(none.max()).isEmpty();
  }

  @Test
  void p99NeedsTwoHundredSamples() {
    assertThat(new Latencies(Collections.nCopies(199, 1.0)).p99()).isEmpty();
    assertThat(new Latencies(Collections.nCopies(200, 1.0)).p99()).hasValue(1);
  }
}
