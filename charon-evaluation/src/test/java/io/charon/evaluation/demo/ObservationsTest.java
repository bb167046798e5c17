/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.demo.Observations.JobTimes;
import org.junit.jupiter.api.Test;

class ObservationsTest {
  @Test
  void onlyAJobThatSucceededIsComplete() {
    assertThat(times(new DemoApplications.State(true, 3_000, 9_000, true, 0)).finishedSeconds())
        .hasValue(8);
    assertThat(times(new DemoApplications.State(true, 3_000, 9_000, false, 0)).finishedSeconds())
        .isEmpty();
    assertThat(times(new DemoApplications.State(false, 3_000, 0, false, 2)).finishedSeconds())
        .isEmpty();
  }

  private static JobTimes times(DemoApplications.State state) {
    return JobTimes.of("grep", "application_1_0001", state, 1_000);
  }
}
