/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.ams.ApplicationMasterServiceProcessor;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.scheduler.OpportunisticContainerContext;
import org.apache.hadoop.yarn.server.utils.BuilderUtils;
import org.apache.hadoop.yarn.util.Records;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hadoop")
class BestEffortQuotaFilterTest {
  private static final ApplicationAttemptId ATTEMPT =
      ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1);

  private final SchedulerView view = mock(SchedulerView.class);
  private final RMApp application = mock(RMApp.class, RETURNS_DEEP_STUBS);
  private final SchedulerApplicationAttempt inScheduler =
      mock(SchedulerApplicationAttempt.class, RETURNS_DEEP_STUBS);
  private final ApplicationMasterServiceProcessor next =
      mock(ApplicationMasterServiceProcessor.class);
  private final AllocateResponse response = Records.newRecord(AllocateResponse.class);
  private final CircuitBreaker breaker = new CircuitBreaker();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final OpportunisticContainerContext yarn = new OpportunisticContainerContext();
  private final BestEffortQuotaFilter gate =
      new BestEffortQuotaFilter(
          breaker,
          view,
          new QuotaEnforcer(() -> new BestEffortLimits(1, Map.of(), 1, true, 100, 100)),
          new NodeAvoidance(() -> Duration.ofSeconds(10), System::nanoTime),
          new Evictions(System::nanoTime),
          stopped::get,
          nanos::get);

  @BeforeEach
  void anApplicationThatRuns() {
    when(application.getUser()).thenReturn("alice");
    when(view.application(any())).thenReturn(Optional.of(application));
    when(inScheduler.getOpportunisticContainerContext()).thenReturn(yarn);
    when(view.current(any())).thenReturn(Optional.of(inScheduler));
  }

  @Test
  void whereTheLimitsFailEverythingIsAskedForAsIfThereWereNone() throws Exception {
    when(view.queuePath(any())).thenThrow(new IllegalStateException("expected by this test"));
    ResourceRequest ask = ask(5);

    AllocateRequest request = allocate(ask);

    verify(next, times(1)).allocate(ATTEMPT, request, response);
    assertThat(request.getAskList()).containsOnly(ask);
  }

  @Test
  void whereTheBooksFailTheApplicationHasItsAnswer() throws Exception {
    when(view.queuePath(any())).thenReturn("root.default");
    when(view.racks(any())).thenThrow(new IllegalStateException("expected by this test"));

    AllocateRequest request = allocate(ask(5));

    verify(next, times(1)).allocate(ATTEMPT, request, response);
  }

  @Test
  void productionHasItsAnswerWhateverDoesNotLink() throws Exception {
    when(view.current(any())).thenThrow(new NoSuchMethodError("expected by this test"));

    AllocateRequest request = allocate(ask(5));

    verify(next, times(1)).allocate(ATTEMPT, request, response);
    assertThat(breaker.isOpen()).isTrue();
  }

  @Test
  void whatWasHeldBackIsAskedForOnceTheBreakerIsOpen() throws Exception {
    when(view.queuePath(any())).thenReturn("root.default");
    assertThat(allocate(ask(5)).getAskList())
        .extracting(ResourceRequest::getNumContainers)
        .containsExactly(1);
    breaker.open("expected by this test");

    AllocateRequest idle = allocate();
    assertThat(idle.getAskList()).extracting(ResourceRequest::getNumContainers).containsExactly(5);

    AllocateRequest later = allocate();
    assertThat(later.getAskList()).as("asked for once").isEmpty();
  }

  @Test
  @Tag("must-never")
  void whatIsHeldByAStopIsAskedForAfterwardsAndNothingIsLost() throws Exception {
    when(view.queuePath(any())).thenReturn("root.default");
    stopped.set(true);
    assertThat(allocate(ask(5)).getAskList()).as("nothing is asked for").isEmpty();
    assertThat(allocate(ask(7)).getAskList()).as("the application changed its mind").isEmpty();
    stopped.set(false);
    AllocateRequest idle = allocate();
    assertThat(idle.getAskList()).as("the limit is 1 at once").hasSize(1);
    breaker.open("expected by this test");
    AllocateRequest rest = allocate();
    assertThat(rest.getAskList()).extracting(ResourceRequest::getNumContainers).containsExactly(7);
  }

  @Test
  @Tag("must-never")
  void theCallThatFindsTheBreakerOpenKeepsItsOwnAsks() throws Exception {
    when(view.queuePath(any())).thenReturn("root.default");
    allocate(ask(5));
    breaker.open("expected by this test");
    yarnTakesWhatItIsAskedFor();
    ResourceRequest other = ask(4);
    other.setPriority(Priority.newInstance(2));

    allocate(ask(9), other);

    assertThat(askedOfYarn()).isEqualTo(9 + 4);
  }

  @Test
  void whatIsAllocatedInTheCallThatOpensTheBreakerIsNotAskedForAgain() throws Exception {
    when(view.queuePath(any())).thenThrow(new NoSuchMethodError("expected by this test"));
    ResourceRequest ask = ask(5);
    Container container =
        BuilderUtils.newContainer(
            ContainerId.newContainerId(ATTEMPT, 2),
            NodeId.newInstance("host1", 1),
            "",
            ask.getCapability(),
            ask.getPriority(),
            null,
            ExecutionType.OPPORTUNISTIC,
            ask.getAllocationRequestId());
    doAnswer(
            call -> {
              response.setAllocatedContainers(List.of(container));
              return null;
            })
        .when(next)
        .allocate(any(), any(), any());
    allocate(ask);
    assertThat(breaker.isOpen()).isTrue();

    assertThat(allocate().getAskList())
        .extracting(ResourceRequest::getNumContainers)
        .containsExactly(4);
  }

  @Test
  void avoidedNodesAreLeftOutForTheLengthOfACallOnlyAlsoOfOneThatFails() throws Exception {
    Set<String> leftOut = leftOutByAnApplicationThatAvoidsHost1();
    doAnswer(
            call -> {
              assertThat(leftOut).containsExactlyInAnyOrder("bad", "host1");
              throw new YarnException("expected by this test");
            })
        .when(next)
        .allocate(any(), any(), any());

    assertThatThrownBy(() -> allocate(ask(5))).hasMessage("expected by this test");

    assertThat(leftOut).containsExactly("bad");
  }

  @Test
  void avoidedNodesAreIncludedAgainAlsoIfTheBreakerOpensMeanwhile() throws Exception {
    Set<String> leftOut = leftOutByAnApplicationThatAvoidsHost1();
    doAnswer(
            call -> {
              assertThat(leftOut).containsExactlyInAnyOrder("bad", "host1");
              breaker.open("expected by this test");
              return null;
            })
        .when(next)
        .allocate(any(), any(), any());

    allocate(ask(5));

    assertThat(leftOut).containsExactly("bad");
  }

  private Set<String> leftOutByAnApplicationThatAvoidsHost1() throws Exception {
    Set<String> leftOut = yarn.getBlacklist();
    leftOut.add("bad");
    when(view.queuePath(any())).thenReturn("root.default");
    when(view.nodesToChooseFrom()).thenReturn(10);
    ContainerStatus killed =
        ContainerStatus.newInstance(
            null,
            ExecutionType.OPPORTUNISTIC,
            ContainerState.COMPLETE,
            "",
            ContainerExitStatus.PREEMPTED);
    when(application.getRMAppAttempt(ATTEMPT).getFinishedContainersSentToAMReference())
        .thenReturn(
            new ConcurrentHashMap<>(Map.of(NodeId.newInstance("host1", 1), List.of(killed))));
    response.setCompletedContainersStatuses(List.of(killed));
    response.setAllocatedContainers(List.of());
    allocate(ask(5));
    return leftOut;
  }

  @Test
  void aFailureOfTheNextProcessorIsNotCharons() throws Exception {
    when(view.queuePath(any())).thenReturn("root.default");
    YarnException refused = new YarnException("expected by this test");
    doThrow(refused).when(next).allocate(any(), any(), any());

    assertThatThrownBy(() -> allocate(ask(5))).isSameAs(refused);
    doThrow(new NoSuchMethodError("expected by this test"))
        .when(next)
        .allocate(any(), any(), any());
    assertThatThrownBy(() -> allocate(ask(5))).isInstanceOf(NoSuchMethodError.class);
    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  @Tag("must-never")
  void whatPassedBecauseRecordingFailedIsLimitedFromTheNextCallOnAndNotLost() throws Exception {
    yarnTakesWhatItIsAskedFor();
    when(view.queuePath(any())).thenReturn("root.default");
    when(view.application(any()))
        .thenThrow(new IllegalStateException("expected by this test"))
        .thenReturn(Optional.of(application));
    allocate(ask("host1", 5), ask(5));
    assertThat(askedOfYarn()).as("as without limits").isEqualTo(5);

    afterAReview();
    allocate();
    assertThat(askedOfYarn()).as("the limit is 1").isEqualTo(1);
    stopped.set(true);
    allocate();
    assertThat(askedOfYarn()).as("the stop holds").isZero();

    breaker.open("expected by this test");
    assertThat(allocate().getAskList())
        .as("all of it, with its place")
        .extracting(ResourceRequest::getResourceName, ResourceRequest::getNumContainers)
        .containsExactlyInAnyOrder(tuple("*", 5), tuple("host1", 5));
  }

  @Test
  void anApplicationWithoutAsksIsSearchedForContainersOnceInEachReviewPeriod() throws Exception {
    List<RMContainer> live = new ArrayList<>();
    when(inScheduler.getLiveContainers()).thenReturn(live);
    when(view.queuePath(any())).thenReturn("root.default");
    for (int calls = 0; calls < 3; calls++) {
      allocate();
    }
    verify(inScheduler, times(1)).getLiveContainers();

    RMContainer container = mock(RMContainer.class);
    when(container.getExecutionType()).thenReturn(ExecutionType.OPPORTUNISTIC);
    live.add(container);
    afterAReview();
    allocate();
    ApplicationAttemptId other =
        ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 2), 1);
    SchedulerApplicationAttempt otherInScheduler =
        mock(SchedulerApplicationAttempt.class, RETURNS_DEEP_STUBS);
    when(otherInScheduler.getOpportunisticContainerContext())
        .thenReturn(new OpportunisticContainerContext());
    when(otherInScheduler.getLiveContainers()).thenReturn(List.of());
    when(view.current(other)).thenReturn(Optional.of(otherInScheduler));
    AllocateRequest others = AllocateRequest.newInstance(0, 0, List.of(ask(1)), List.of(), null);
    gate.allocate(other, others, response, next, Set.of());
    assertThat(others.getAskList()).as("the limit is 1").isEmpty();
  }

  private void afterAReview() {
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
  }

  private void yarnTakesWhatItIsAskedFor() throws Exception {
    doAnswer(
            call -> {
              yarn.addToOutstandingReqs(call.<AllocateRequest>getArgument(1).getAskList());
              return null;
            })
        .when(next)
        .allocate(any(), any(), any());
  }

  private int askedOfYarn() {
    return yarn.getOutstandingOpReqs().values().stream()
        .flatMap(sized -> sized.values().stream())
        .mapToInt(ask -> ask.getRequest().getNumContainers())
        .sum();
  }

  private AllocateRequest allocate(ResourceRequest... asks) throws Exception {
    AllocateRequest request = AllocateRequest.newInstance(0, 0, List.of(asks), List.of(), null);
    gate.allocate(ATTEMPT, request, response, next, Set.of());
    return request;
  }

  private static ResourceRequest ask(int containers) {
    return ask(ResourceRequest.ANY, containers);
  }

  private static ResourceRequest ask(String place, int containers) {
    ResourceRequest ask =
        ResourceRequest.newInstance(
            Priority.newInstance(1), place, Resource.newInstance(1024, 1), containers);
    ask.setExecutionTypeRequest(ExecutionTypeRequest.newInstance(ExecutionType.OPPORTUNISTIC));
    return ask;
  }
}
