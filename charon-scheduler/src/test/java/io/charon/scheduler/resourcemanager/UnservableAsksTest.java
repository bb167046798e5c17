/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hadoop")
@Tag("long")
class UnservableAsksTest {
  private final ResourceRequest anywhere = ask(1, "*", "gpu");
  private final ResourceRequest onRack = ask(1, "/rack", null);
  private final ResourceRequest onHost = ask(1, "host", null);
  private final ResourceRequest other = ask(2, "*", null);
  private final ResourceRequest otherHost = ask(2, "host", null);
  private final ResourceRequest expresslyNone = ask(3, "*", "");

  @Test
  void aLabelHoldsForTheHostsAndRacksBesideIt() {
    UnservableAsks labelled =
        asks(List.of(onHost, onRack, anywhere, other, otherHost), Optional.empty());

    assertThat(List.of(anywhere, onRack, onHost)).allMatch(labelled::contains);
    assertThat(List.of(other, otherHost)).noneMatch(labelled::contains);
  }

  @Test
  void whatSaysNothingHasTheDefaultAndTheEmptyLabelIsNone() {
    UnservableAsks labelled = asks(List.of(other, otherHost, expresslyNone), Optional.of("gpu"));

    assertThat(List.of(other, otherHost)).allMatch(labelled::contains);
    assertThat(labelled.contains(expresslyNone)).isFalse();
  }

  @Test
  void anEmptyDefaultIsNone() {
    assertThat(asks(List.of(other), Optional.of(" ")).contains(other)).isFalse();
  }

  @Test
  void strictLocalityHoldsForAllOfItsKey() {
    anywhere.setNodeLabelExpression(null);
    anywhere.setRelaxLocality(false);
    otherHost.setRelaxLocality(false);

    UnservableAsks asks =
        asks(List.of(onHost, onRack, anywhere, other, otherHost), Optional.empty());

    assertThat(List.of(anywhere, onRack, onHost)).allMatch(asks::contains);
    assertThat(List.of(other, otherHost))
        .as("a host's flag says nothing")
        .noneMatch(asks::contains);
  }

  @Test
  void oneThatExcludesARackIsStrict() {
    anywhere.setNodeLabelExpression(null);
    onRack.setRelaxLocality(false);

    UnservableAsks asks = asks(List.of(onRack, anywhere), Optional.empty());

    assertThat(List.of(onRack, anywhere)).allMatch(asks::contains);
  }

  /** It is refused later, and must not keep the others of its call from becoming best-effort. */
  @Test
  void aSizeThatIsMissingOrCannotBeReadIsServed() {
    ResourceRequest without = mock(ResourceRequest.class);
    ResourceRequest unreadable = mock(ResourceRequest.class);
    when(unreadable.getCapability()).thenThrow(new IllegalArgumentException("parsecs"));

    UnservableAsks asks = asks(List.of(without, unreadable), Optional.empty());

    assertThat(List.of(without, unreadable)).noneMatch(asks::contains);
  }

  @Test
  void whatIsLargerThanTheQueueAllowsIsRefusedByTheScheduler() {
    UnservableAsks exact = new UnservableAsks(List.of(other), Optional.empty(), largest(1024, 1));
    UnservableAsks less = new UnservableAsks(List.of(other), Optional.empty(), largest(1023, 1));
    UnservableAsks none = new UnservableAsks(List.of(other), Optional.empty(), largest(1024, 0));

    assertThat(exact.contains(other)).isFalse();
    assertThat(List.of(less, none)).allMatch(asks -> asks.contains(other));
  }

  private static Optional<Resource> largest(long mebibytes, int vcores) {
    return Optional.of(Resource.newInstance(mebibytes, vcores));
  }

  private static UnservableAsks asks(List<ResourceRequest> asks, Optional<String> defaultLabel) {
    return new UnservableAsks(asks, defaultLabel, Optional.empty());
  }

  private static ResourceRequest ask(int priority, String place, String label) {
    return ResourceRequest.newBuilder()
        .priority(Priority.newInstance(priority))
        .resourceName(place)
        .capability(Resource.newInstance(1024, 1))
        .numContainers(1)
        .nodeLabelExpression(label)
        .build();
  }
}
