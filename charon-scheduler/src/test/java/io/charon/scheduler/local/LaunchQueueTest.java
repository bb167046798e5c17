/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LaunchQueueTest {
  private final LaunchQueue queue = new LaunchQueue(2);

  @Test
  void firstComesFirstAndBeyondTheLimitNobodyWaits() {
    assertThat(queue.offer(request("z", 1))).isTrue();
    assertThat(queue.offer(request("a", 1))).isTrue();
    assertThat(queue.offer(request("late", 1))).isFalse();
    assertThat(queue.waiting()).containsExactly(request("z", 1), request("a", 1));
    assertThat(queue.first()).contains(request("z", 1));
  }

  @Test
  void oneThatWaitsKeepsItsPlaceInAFullQueueAndItsLatestRequestCounts() {
    queue.offer(request("z", 1));
    queue.offer(request("a", 1));
    assertThat(queue.offer(request("z", 5))).isTrue();
    assertThat(queue.waiting()).containsExactly(request("z", 5), request("a", 1));
  }

  @Test
  void anyoneMayLeaveAndOnlyOnce() {
    queue.offer(request("z", 1));
    queue.offer(request("a", 1));
    assertThat(queue.remove("a")).isTrue();
    assertThat(queue.remove("a")).isFalse();
    assertThat(queue.offer(request("next", 1))).isTrue();
    assertThat(queue.waiting()).containsExactly(request("z", 1), request("next", 1));
  }

  @Test
  void listIsACopy() {
    queue.offer(request("z", 1));
    queue.waiting().clear();
    assertThat(queue.first()).contains(request("z", 1));
  }

  @Test
  void negativeLimitIsRefused() {
    assertThatThrownBy(() -> new LaunchQueue(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limit must not be negative, got -1");
  }

  private static LaunchRequest request(String containerId, long bytes) {
    return new LaunchRequest(containerId, ExecutionType.OPPORTUNISTIC, new JobKey("job"), bytes);
  }
}
