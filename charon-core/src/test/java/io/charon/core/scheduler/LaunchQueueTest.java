/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LaunchQueueTest {
  private final LaunchQueue queue = new LaunchQueue(2);
  private final Claims nobody = new FixedClaims();

  @Test
  void theFirstStartsFirstAndNoneWaitsBeyondTheLimit() {
    assertThat(queue.offer(request("z", 1), 0)).isTrue();
    assertThat(queue.offer(request("a", 1), 0)).isTrue();
    assertThat(queue.offer(request("late", 1), 0)).isFalse();
    assertThat(queue.waiting(nobody, 0)).containsExactly(request("z", 1), request("a", 1));
    assertThat(queue.first(any -> true, nobody, 0)).contains(request("z", 1));
  }

  @Test
  void oneThatWaitsKeepsItsPlaceInAFullQueueAndItsLatestRequestCounts() {
    queue.offer(request("z", 1), 0);
    queue.offer(request("a", 1), 0);
    assertThat(queue.offer(request("z", 5), 0)).isTrue();
    assertThat(queue.waiting(nobody, 0)).containsExactly(request("z", 5), request("a", 1));
  }

  @Test
  void thoseThatCouldNotFitAreAskedForLast() {
    LaunchQueue four = new LaunchQueue(4);
    four.offer(request("huge", 9), 0);
    four.offer(request("a", 1), 0);
    four.offer(request("large", 8), 0);
    four.offer(request("b", 1), 0);

    assertThat(four.startOrder(each -> each.requestedBytes() < 8, nobody, 0))
        .extracting(LaunchRequest::containerId)
        .containsExactly("a", "b", "huge", "large");
    assertThat(four.startOrder(each -> false, nobody, 0)).isEqualTo(four.waiting(nobody, 0));
    assertThat(four.startOrder(each -> true, nobody, 0)).isEqualTo(four.waiting(nobody, 0));
  }

  @Test
  void anyoneMayLeaveAndOnlyOnce() {
    queue.offer(request("z", 1), 0);
    queue.offer(request("a", 1), 0);
    assertThat(queue.remove("a")).isTrue();
    assertThat(queue.remove("a")).isFalse();
    assertThat(queue.offer(request("next", 1), 0)).isTrue();
    assertThat(queue.waiting(nobody, 0)).containsExactly(request("z", 1), request("next", 1));
  }

  @Test
  void negativeLimitIsRefused() {
    assertThatThrownBy(() -> new LaunchQueue(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limit must not be negative, got -1");
  }

  private static LaunchRequest request(String containerId, long bytes) {
    return new LaunchRequest(
        containerId,
        ExecutionType.OPPORTUNISTIC,
        new JobKey("job"),
        new Owner("alice", "application_1"),
        bytes);
  }
}
