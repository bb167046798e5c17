/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FairShareTest {
  private static final Owner LARGE = new Owner("alice", "large");
  private static final Owner SMALL = new Owner("alice", "small");
  private static final Owner OTHER = new Owner("bob", "other");
  private static final Duration AGING = Duration.ofNanos(100);

  private final FairShare applications = new FairShare(Owner::application, AGING);
  private final FairShare users = new FairShare(Owner::user, AGING);
  private final FixedClaims claims = new FixedClaims();
  private final List<Waiting> waiting = new ArrayList<>();

  @Test
  void theUserThatHoldsLeastStartsFirst() {
    claims.holds(LARGE, 10).holds(SMALL, 5);
    arrive(LARGE, "l1", 1);
    arrive(SMALL, "s1", 1);
    arrive(OTHER, "o1", 1);
    assertThat(order(applications, 0)).containsExactly("o1", "s1", "l1");
  }

  @Test
  void amongEqualsTheEarliestStartsFirst() {
    arrive(SMALL, "s1", 4);
    arrive(OTHER, "o1", 4);
    assertThat(order(applications, 0)).containsExactly("s1", "o1");
  }

  @Test
  void everyStartCounts() {
    arrive(LARGE, "l1", 4);
    arrive(LARGE, "l2", 4);
    arrive(LARGE, "l3", 4);
    arrive(SMALL, "s1", 3);
    arrive(SMALL, "s2", 3);
    assertThat(order(applications, 0)).containsExactly("l1", "s1", "s2", "l2", "l3");
  }

  @Test
  void usersShareWhatTheirApplicationsHoldTogether() {
    claims.holds(LARGE, 3).holds(SMALL, 3).holds(OTHER, 5);
    arrive(SMALL, "s1", 1);
    arrive(OTHER, "o1", 1);
    assertThat(order(users, 0)).containsExactly("o1", "s1");
    assertThat(order(applications, 0)).containsExactly("s1", "o1");
  }

  @Test
  void aContainerThatHasWaitedTooLongComesFirst() {
    claims.holds(LARGE, 1000);
    arrive(LARGE, "l1", 1);
    arrive(LARGE, "l2", 1);
    arrive(SMALL, "s1", 1);
    assertThat(order(applications, 99)).containsExactly("s1", "l1", "l2");
    assertThat(order(applications, 100)).containsExactly("l1", "s1", "l2");
    assertThat(order(applications, 102)).containsExactly("l1", "l2", "s1");
  }

  @Test
  void theClockMayOverflow() {
    waiting.add(new Waiting(request(SMALL, "s1", 1), Long.MAX_VALUE - 1));
    waiting.add(new Waiting(request(OTHER, "o1", 1), Long.MIN_VALUE));
    claims.holds(SMALL, 7);
    assertThat(order(applications, Long.MIN_VALUE + 5)).containsExactly("o1", "s1");
    assertThat(order(applications, Long.MIN_VALUE + 99)).containsExactly("s1", "o1");
  }

  @Test
  void aFullQueueDisplacesTheUserWithTheMostMemory() {
    arrive(LARGE, "l1", 1);
    arrive(LARGE, "l2", 1);
    arrive(OTHER, "o1", 1);
    assertThat(applications.displacedBy(request(SMALL, "s1", 1), waiting))
        .map(LaunchRequest::containerId)
        .contains("l2");
  }

  @Test
  void noContainerIsDisplacedByAnEqualOne() {
    arrive(LARGE, "l1", 1);
    arrive(LARGE, "l2", 1);
    assertThat(applications.displacedBy(request(LARGE, "l3", 1), waiting)).isEmpty();
    assertThat(users.displacedBy(request(SMALL, "s1", 1), waiting)).isEmpty();
    arrive(SMALL, "s1", 1);
    // If one account has two places and the other has one, an exchange would only swap their roles.
    assertThat(applications.displacedBy(request(SMALL, "s2", 1), waiting)).isEmpty();
  }

  @Test
  void inOrderOfArrivalNoContainerIsDisplaced() {
    arrive(LARGE, "l1", 1);
    arrive(LARGE, "l2", 1);
    FirstComeFirstServed arrival = new FirstComeFirstServed();
    assertThat(arrival.displacedBy(request(SMALL, "s1", 1), waiting)).isEmpty();
    assertThat(arrival.inOrder(waiting, claims, 1_000_000)).containsExactlyElementsOf(waiting);
  }

  @Test
  void onlyAnAccountWithSeveralPlacesCanLoseOne() {
    arrive(LARGE, "l1", 1);
    arrive(OTHER, "o1", 1);
    assertThat(applications.canDisplace(waiting)).isFalse();
    arrive(SMALL, "s1", 1);
    assertThat(applications.canDisplace(waiting)).isFalse();
    assertThat(users.canDisplace(waiting)).as("both are alice's").isTrue();
    arrive(LARGE, "l2", 1);
    assertThat(applications.canDisplace(waiting)).isTrue();
  }

  @Test
  void agingMustBePositive() {
    assertThatThrownBy(() -> new FairShare(Owner::user, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("aging must be positive");
  }

  /** Paper, section 5.6: a queue that is full of one large job's containers rejects all others. */
  @Test
  void aLargeApplicationDoesNotKeepASmallOneFromTheNode() {
    LocalScheduler scheduler = emptyNode();
    for (int i = 0; i < 7; i++) {
      scheduler.request(request(LARGE, "l" + i, 5), i);
    }
    assertThat(scheduler.running()).hasSize(2);
    LaunchRequest small = request(SMALL, "s0", 5);
    scheduler.ended(scheduler.displacedBy(small).orElseThrow().containerId(), 0);
    assertThat(scheduler.request(small, 8).outcome()).isEqualTo(LaunchDecision.Outcome.QUEUED);
    assertThat(scheduler.waiting(8)).first().isEqualTo(small);
    scheduler.ended("l0", 5);
    scheduler.observed(new NodeMemory(10, 10), Map.of("l1", 0L), 9);
    assertThat(scheduler.judgeFirst(9)).map(LaunchVerdict::launch).contains(true);
    assertThat(scheduler.request(request(LARGE, "l2", 5), 9).verdict().reason())
        .isEqualTo(LaunchVerdict.Reason.NOT_FIRST);
    assertThat(scheduler.request(small, 9).outcome()).isEqualTo(LaunchDecision.Outcome.LAUNCHED);
  }

  @Test
  void whatAnApplicationHoldsFollowsItsStartsAndEnds() {
    LocalScheduler scheduler = emptyNode();
    for (LaunchRequest each :
        List.of(
            request(LARGE, "l0", 5),
            request(SMALL, "s0", 3),
            request(LARGE, "l1", 5),
            request(SMALL, "s1", 3))) {
      scheduler.request(each, 0);
    }
    assertThat(scheduler.running()).hasSize(2);
    assertThat(scheduler.waiting(1)).first().isEqualTo(request(SMALL, "s1", 3));
    scheduler.ended("l0", 5);
    assertThat(scheduler.waiting(2)).first().isEqualTo(request(LARGE, "l1", 5));
    assertThat(scheduler.startFirst(2)).map(LaunchDecision::containerId).contains("l1");
    assertThat(scheduler.waiting(3)).first().isEqualTo(request(SMALL, "s1", 3));
  }

  /** Returns the scheduler of a node with 10 bytes of memory and 5 places in its queue. */
  private LocalScheduler emptyNode() {
    LocalScheduler scheduler =
        new LocalScheduler(
            new LaunchQueue(5, applications),
            new PeakProfile(20, 95),
            new SnapshotLaunchPolicy(Duration.ofNanos(1), Duration.ofNanos(1)));
    scheduler.observed(new NodeMemory(10, 10), Map.of(), 0);
    return scheduler;
  }

  /** Max-min fairness: no account starts a container while one that holds less still waits. */
  @Property
  void noRicherAccountStartsBeforeAPoorerOneThatWaits(
      @ForAll @Size(max = 30) List<@IntRange(min = 0, max = 3) Integer> owners,
      @ForAll @Size(value = 30) List<@IntRange(min = 1, max = 9) Integer> sizes) {
    List<Waiting> queue = new ArrayList<>();
    for (int i = 0; i < owners.size(); i++) {
      Owner owner = new Owner("user", "application_" + owners.get(i));
      queue.add(new Waiting(request(owner, "c" + i, sizes.get(i)), i));
    }
    List<Waiting> ordered = applications.inOrder(queue, new FixedClaims(), 50);
    assertThat(ordered).containsExactlyInAnyOrderElementsOf(queue);
    assertThat(applications.first(queue, new FixedClaims(), 50))
        .isEqualTo(ordered.stream().findFirst());
    Map<String, Long> held = new LinkedHashMap<>();
    for (int i = 0; i < ordered.size(); i++) {
      String starting = ordered.get(i).request().owner().application();
      OptionalLong poorestLater =
          ordered.subList(i, ordered.size()).stream()
              .mapToLong(each -> held.getOrDefault(each.request().owner().application(), 0L))
              .min();
      assertThat(held.getOrDefault(starting, 0L)).isEqualTo(poorestLater.orElseThrow());
      held.merge(starting, ordered.get(i).request().requestedBytes(), Long::sum);
    }
  }

  private void arrive(Owner owner, String id, long bytes) {
    waiting.add(new Waiting(request(owner, id, bytes), waiting.size()));
  }

  private List<String> order(FairShare share, long nowNanos) {
    List<Waiting> order = share.inOrder(waiting, claims, nowNanos);
    assertThat(share.first(waiting, claims, nowNanos)).isEqualTo(order.stream().findFirst());
    return order.stream().map(each -> each.request().containerId()).toList();
  }

  private static LaunchRequest request(Owner owner, String id, long bytes) {
    return new LaunchRequest(
        id, ExecutionType.OPPORTUNISTIC, new JobKey(owner.application()), owner, bytes);
  }
}
