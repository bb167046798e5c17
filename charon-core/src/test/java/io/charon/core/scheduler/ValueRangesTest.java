/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;

class ValueRangesTest {
  private static final JobKey JOB = new JobKey("job");
  private static final Owner OWNER = new Owner("alice", "application_1");

  @Test
  void nodeMemoryIsWithinItsCapacity() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NodeMemory(0, 0))
        .withMessageContaining("capacityBytes must be at least 1, got 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NodeMemory(10, -1))
        .withMessageContaining("within 0 and 10, got -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NodeMemory(10, 11))
        .withMessageContaining("within 0 and 10, got 11");
    assertThat(new NodeMemory(10, 10).availableBytes()).isEqualTo(10);
  }

  @Test
  void requestAsksForSomething() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LaunchRequest("c7", ExecutionType.GUARANTEED, JOB, OWNER, 0))
        .withMessageContaining("c7: requestedBytes must be at least 1, got 0");
  }

  @Test
  void nothingIsMissing() {
    assertThatNullPointerException().isThrownBy(() -> new JobKey(null)).withMessage("value");
    assertThatNullPointerException()
        .isThrownBy(() -> new LaunchRequest(null, ExecutionType.GUARANTEED, JOB, OWNER, 1))
        .withMessage("containerId");
    assertThatNullPointerException()
        .isThrownBy(() -> new LaunchRequest("c", null, JOB, OWNER, 1))
        .withMessage("executionType");
    assertThatNullPointerException()
        .isThrownBy(() -> new LaunchRequest("c", ExecutionType.GUARANTEED, null, OWNER, 1))
        .withMessage("job");
    assertThatNullPointerException()
        .isThrownBy(() -> new LaunchRequest("c", ExecutionType.GUARANTEED, JOB, null, 1))
        .withMessage("owner");
  }
}
