/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.scheduler.OpportunisticContainerAllocator.Allocation;
import org.apache.hadoop.yarn.server.scheduler.OpportunisticContainerContext;
import org.apache.hadoop.yarn.server.utils.BuilderUtils;

/**
 * Tests a book together with YARN's own record of opportunistic asks: an application changes its
 * requests at random, a limit changes at random, and an allocator allocates at random.
 */
@Tag("hadoop")
@Tag("long")
class PendingRequestsPropertyTest {

  private static final NodeId NODE = NodeId.newInstance("host1", 1);
  private static final String RACK = "/rack1";
  private static final Resource SMALL = Resource.newInstance(1024, 1);
  private static final Resource LARGE = Resource.newInstance(2048, 1);

  private final OpportunisticContainerContext yarn = new OpportunisticContainerContext();
  private final PendingRequests book = new PendingRequests(false);
  private final AllocatorAsks outstanding = new AllocatorAsks(yarn);

  @Property(tries = 200)
  @Tag("must-never")
  void yarnIsAskedForAsMuchAsFitsAndNothingIsLost(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 30) int rounds) throws Exception {
    Random random = new Random(seed);
    long nextContainer = 1;
    for (int round = 0; round < rounds; round++) {
      book.update(change(random), Settings.UNLIMITED);
      long limit = random.nextInt(4) == 0 ? Settings.UNLIMITED : random.nextInt(12);
      long wanted = book.wanted();
      long inTurn = book.wantedInTurn();

      List<ResourceRequest> told = book.pass(limit, outstanding);
      assertPlacesFit(told);
      yarn.addToOutstandingReqs(told);

      assertThat(book.outstanding(outstanding)).isEqualTo(Math.min(inTurn, limit));
      assertThat(askedOfYarn()).isEqualTo(Math.min(inTurn, limit));
      assertThat(yarn.getOutstandingOpReqs().values())
          .as("YARN's allocator fails on a second size, even one of which it is asked for none")
          .allSatisfy(sized -> assertThat(sized).hasSize(1));

      List<Container> allocated = new ArrayList<>();
      for (Container container : allocatable(random, nextContainer)) {
        allocated.add(container);
        nextContainer++;
      }
      book.allocated(allocated, outstanding, Map.of(NODE, RACK));
      assertThat(book.wanted()).isEqualTo(wanted - allocated.size());
    }
    // With room for all, YARN is asked for everything that is wanted, one size of a key at a time.
    for (int turns = 0; book.wanted() > 0 && turns < 1_000; turns++) {
      yarn.addToOutstandingReqs(book.pass(Settings.UNLIMITED, outstanding));
      assertThat(askedOfYarn()).isEqualTo(book.wantedInTurn()).isPositive();
      assertThat(book.pass(Settings.UNLIMITED, outstanding)).isEmpty();
      book.allocated(allocatable(random, nextContainer), outstanding, Map.of(NODE, RACK));
    }
    assertThat(book.wanted()).isZero();
  }

  private static List<ResourceRequest> change(Random random) {
    List<ResourceRequest> change = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      int any = random.nextInt(10);
      Priority priority = Priority.newInstance(random.nextInt(2));
      Resource size = random.nextBoolean() ? SMALL : LARGE;
      change.add(ResourceRequest.newInstance(priority, "host1", size, random.nextInt(any + 1)));
      change.add(ResourceRequest.newInstance(priority, RACK, size, random.nextInt(any + 1)));
      change.add(ResourceRequest.newInstance(priority, ResourceRequest.ANY, size, any));
    }
    return change;
  }

  /**
   * Allocates some of the containers that YARN is asked for, and decrements its counts as YARN
   * does.
   */
  private List<Container> allocatable(Random random, long firstId) {
    List<Container> allocated = new ArrayList<>();
    for (var key : List.copyOf(yarn.getOutstandingOpReqs().keySet())) {
      for (var sized : List.copyOf(yarn.getOutstandingOpReqs().get(key).entrySet())) {
        int most = sized.getValue().getRequest().getNumContainers();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
          Container container =
              BuilderUtils.newContainer(
                  ContainerId.newContainerId(
                      ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1),
                      firstId + allocated.size()),
                  NODE,
                  "",
                  sized.getKey(),
                  key.getPriority(),
                  null,
                  ExecutionType.OPPORTUNISTIC,
                  key.getAllocationRequestId());
          String place = random.nextBoolean() ? NODE.getHost() : ResourceRequest.ANY;
          yarn.matchAllocationToOutstandingRequest(
              sized.getKey(), List.of(new Allocation(container, place)));
          allocated.add(container);
        }
      }
    }
    return allocated;
  }

  private int askedOfYarn() {
    return yarn.getOutstandingOpReqs().values().stream()
        .flatMap(sized -> sized.values().stream())
        .mapToInt(ask -> ask.getRequest().getNumContainers())
        .sum();
  }

  /** Asserts that no place is asked for more containers than the whole ask. */
  private static void assertPlacesFit(List<ResourceRequest> told) {
    Map<Priority, Integer> anywhere =
        told.stream()
            .filter(request -> ResourceRequest.isAnyLocation(request.getResourceName()))
            .collect(
                Collectors.toMap(ResourceRequest::getPriority, ResourceRequest::getNumContainers));
    assertThat(told)
        .allSatisfy(
            request ->
                assertThat(request.getNumContainers())
                    .isBetween(0, anywhere.get(request.getPriority())));
  }
}
