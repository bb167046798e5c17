/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.impl.pb.ResourceRequestPBImpl;
import org.apache.hadoop.yarn.exceptions.InvalidResourceRequestException;
import org.apache.hadoop.yarn.proto.YarnProtos.PriorityProto;
import org.apache.hadoop.yarn.proto.YarnProtos.ResourceInformationProto;
import org.apache.hadoop.yarn.proto.YarnProtos.ResourceProto;
import org.apache.hadoop.yarn.proto.YarnProtos.ResourceRequestProto;
import org.apache.hadoop.yarn.server.scheduler.OpportunisticContainerContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hadoop")
class PendingRequestsTest {
  private static final int RETRY = 5;
  private static final int REDUCE = 10;
  private static final int OPPORTUNISTIC_MAP = 19;
  private static final int MAP = 20;
  private static final Resource SMALL = Resource.newInstance(1024, 1);
  private static final Resource LARGE = Resource.newInstance(2048, 1);

  private final OpportunisticContainerContext yarn = new OpportunisticContainerContext();
  private final AllocatorAsks outstanding = new AllocatorAsks(yarn);

  @Test
  void mapsOfFirstAttemptsWaitUntilMapReduceWantsNoRetry() throws Exception {
    PendingRequests book = new PendingRequests(true);
    say(book, Map.of(MAP, 3, OPPORTUNISTIC_MAP, 2, REDUCE, 1));
    assertThat(askedOfYarn(book, 100)).isEqualTo(Map.of(MAP, 3, OPPORTUNISTIC_MAP, 2, REDUCE, 1));

    say(book, Map.of(RETRY, 2));
    assertThat(askedOfYarn(book, 100))
        .as("what YARN was asked for already is taken back; reduces go on")
        .isEqualTo(Map.of(RETRY, 2, REDUCE, 1));
    say(book, Map.of(MAP, 4));
    assertThat(askedOfYarn(book, 100)).isEqualTo(Map.of(RETRY, 2, REDUCE, 1));
    assertThat(askedOfYarn(book, 2)).as("with room for two").isEqualTo(Map.of(RETRY, 1, REDUCE, 1));

    say(book, Map.of(RETRY, 0));
    assertThat(askedOfYarn(book, 100)).isEqualTo(Map.of(MAP, 4, OPPORTUNISTIC_MAP, 2, REDUCE, 1));
    assertThat(askedOfYarn(book, 5))
        .as("in YARN's order")
        .isEqualTo(Map.of(MAP, 4, OPPORTUNISTIC_MAP, 1));
  }

  @Test
  void noOtherApplicationWaitsForItsMoreImportantAsks() throws Exception {
    PendingRequests book = new PendingRequests(false);
    say(book, Map.of(MAP, 3, RETRY, 2));
    assertThat(askedOfYarn(book, 100)).isEqualTo(Map.of(MAP, 3, RETRY, 2));
  }

  @Test
  void whenTheBookIsGivenUpNothingOfItWaits() throws Exception {
    PendingRequests book = new PendingRequests(true);
    say(book, Map.of(MAP, 3, RETRY, 2));
    yarn.addToOutstandingReqs(book.passAll());
    assertThat(asked()).isEqualTo(Map.of(MAP, 3, RETRY, 2));
  }

  /** YARN checks these in GUARANTEED requests only. */
  @Test
  void requestsThatWouldEvadeTheLimitsAreRefusedAndChangeNothing() throws Exception {
    PendingRequests book = new PendingRequests(false);
    say(book, Map.of(MAP, 3));
    List<Consumer<ResourceRequest>> faults =
        List.of(
            request -> request.setNumContainers(-1),
            request -> request.setCapability(null),
            request -> request.setResourceName(null),
            request -> request.setPriority(null));
    for (Consumer<ResourceRequest> fault : faults) {
      ResourceRequest good = request(REDUCE, SMALL, 7);
      ResourceRequest bad = ResourceRequest.clone(good);
      fault.accept(bad);
      assertThatThrownBy(() -> book.update(List.of(good, bad), 100))
          .isInstanceOf(InvalidResourceRequestException.class)
          .hasMessageContaining("correct the application");
    }
    assertThat(book.wanted()).isEqualTo(3);
  }

  /** YARN parses a size only when it is read; its allocator would keep what it read before. */
  @Test
  void sizesThatCannotBeReadAreRefusedAndChangeNothing() throws Exception {
    PendingRequests book = new PendingRequests(false);
    say(book, Map.of(MAP, 3));
    for (ResourceInformationProto memory :
        List.of(memory(1, "parsecs"), memory(Long.MAX_VALUE, "P"))) {
      assertThatThrownBy(() -> book.update(List.of(request(REDUCE, SMALL, 7), sized(memory)), 100))
          .isInstanceOf(InvalidResourceRequestException.class)
          .hasMessageContaining("cannot be read")
          .hasMessageContaining("correct the application");
    }
    assertThat(book.wanted()).isEqualTo(3);
  }

  @Test
  void sizesOfOneKeyWaitForEachOtherAndNoneStaysBehind() throws Exception {
    PendingRequests book = new PendingRequests(false);
    book.update(List.of(request(MAP, SMALL, 3), request(MAP, LARGE, 2)), Settings.UNLIMITED);
    assertThat(book.wantedInTurn()).isEqualTo(3);
    assertThat(askedOfYarn(book, 100)).isEqualTo(Map.of(MAP, 3));
    assertThat(sizes()).containsExactly(SMALL);

    book.update(List.of(request(MAP, SMALL, 0)), Settings.UNLIMITED);
    assertThat(askedOfYarn(book, 100)).isEqualTo(Map.of(MAP, 2));
    assertThat(sizes()).containsExactly(LARGE);

    assertThat(askedOfYarn(book, 0)).isEmpty();
    assertThat(yarn.getOutstandingOpReqs()).as("YARN's allocator fails on such entries").isEmpty();
    assertThat(book.wanted()).isEqualTo(2);
  }

  @Test
  void aSizeThatGetsNothingLetsTheNextOneOfItsKeyTry() throws Exception {
    PendingRequests book = new PendingRequests(false);
    book.update(List.of(request(MAP, SMALL, 3), request(MAP, LARGE, 2)), Settings.UNLIMITED);
    for (Resource inTurn : List.of(SMALL, LARGE, SMALL)) {
      askedOfYarn(book, 100);
      assertThat(sizes()).containsExactly(inTurn);
      book.allocated(List.of(), outstanding, Map.of());
    }
  }

  private Set<Resource> sizes() {
    return yarn.getOutstandingOpReqs().values().stream()
        .flatMap(sized -> sized.keySet().stream())
        .collect(Collectors.toSet());
  }

  private static ResourceInformationProto memory(long value, String unit) {
    return ResourceInformationProto.newBuilder()
        .setKey("memory-mb")
        .setValue(value)
        .setUnits(unit)
        .build();
  }

  /** Returns a request as it arrives from the network. */
  private static ResourceRequest sized(ResourceInformationProto memory) {
    return new ResourceRequestPBImpl(
        ResourceRequestProto.newBuilder()
            .setPriority(PriorityProto.newBuilder().setPriority(MAP))
            .setResourceName(ResourceRequest.ANY)
            .setNumContainers(100_000)
            .setCapability(ResourceProto.newBuilder().addResourceValueMap(memory))
            .build());
  }

  private static ResourceRequest request(int priority, Resource size, int containers) {
    return ResourceRequest.newInstance(
        Priority.newInstance(priority), ResourceRequest.ANY, size, containers);
  }

  private static void say(PendingRequests book, Map<Integer, Integer> containersByPriority)
      throws Exception {
    List<ResourceRequest> words =
        containersByPriority.entrySet().stream()
            .map(entry -> request(entry.getKey(), SMALL, entry.getValue()))
            .toList();
    book.update(words, Settings.UNLIMITED);
  }

  private Map<Integer, Integer> askedOfYarn(PendingRequests book, long room) {
    yarn.addToOutstandingReqs(book.pass(room, outstanding));
    return asked();
  }

  private Map<Integer, Integer> asked() {
    Map<Integer, Integer> asked = new TreeMap<>();
    yarn.getOutstandingOpReqs()
        .forEach(
            (key, sized) ->
                sized.values().stream()
                    .map(ask -> ask.getRequest().getNumContainers())
                    .filter(containers -> containers > 0)
                    .forEach(containers -> asked.put(key.getPriority().getPriority(), containers)));
    return asked;
  }
}
