/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.ams.ApplicationMasterServiceProcessor;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands before YARN's allocator of OPPORTUNISTIC containers: it lets through as many of an
 * application's asks as the limits leave room for, and keeps its retries off nodes that pushed its
 * containers out. What waits here is let through with a later heartbeat. GUARANTEED asks pass
 * untouched.
 */
final class AskGate {

  private static final Logger LOG = LoggerFactory.getLogger(AskGate.class);

  private static final long REVIEW_NANOS = 1_000_000_000L;
  private static final long WARNING_NANOS = 60 * 1_000_000_000L;

  private static final class Attempt {
    private final ApplicationAttemptId id;
    private final AskBook book = new AskBook();
    private final AvoidedNodes avoided = new AvoidedNodes();

    Attempt(ApplicationAttemptId id) {
      this.id = id;
    }
  }

  private final SchedulerView view;
  private final AskLimiter limiter;
  private final NodeAvoidance avoidance;
  private final Evictions evictions;
  private final LongSupplier nanoTime;
  private final Map<ApplicationId, Attempt> attempts = new ConcurrentHashMap<>();
  private final AtomicLong nextReviewNanos;
  private final AtomicLong nextWarningNanos;

  AskGate(
      SchedulerView view,
      AskLimiter limiter,
      NodeAvoidance avoidance,
      Evictions evictions,
      LongSupplier nanoTime) {
    this.view = view;
    this.limiter = limiter;
    this.avoidance = avoidance;
    this.evictions = evictions;
    this.nanoTime = nanoTime;
    nextReviewNanos = new AtomicLong(nanoTime.getAsLong());
    nextWarningNanos = new AtomicLong(nanoTime.getAsLong());
  }

  /**
   * Serves one call of an ApplicationMaster through {@code next}, which is called once: where the
   * limits or the counts fail, the application has what it asks YARN for.
   *
   * @throws YarnException if {@code next} throws it, or if the application asks with more records
   *     than are kept for one
   */
  void allocate(
      RMApp application,
      ApplicationAttemptId id,
      AllocateRequest request,
      AllocateResponse response,
      ApplicationMasterServiceProcessor next)
      throws YarnException {
    guarded("looking after ended applications", this::reviewNowAndThen);
    List<ResourceRequest> bestEffort =
        request.getAskList().stream().filter(AskGate::isBestEffort).toList();
    boolean concerned = !bestEffort.isEmpty() || attempts.containsKey(id.getApplicationId());
    Optional<SchedulerApplicationAttempt> current = concerned ? view.current(id) : Optional.empty();
    if (current.isEmpty()) {
      next.allocate(id, request, response);
      return;
    }
    SchedulerApplicationAttempt inScheduler = current.get();
    Attempt attempt = attempt(id);
    attempt.book.update(bestEffort, limiter.maxRecords());
    try {
      guarded("holding back asks", () -> letThrough(attempt, application, inScheduler, request));
      avoidance.around(
          attempt.avoided,
          inScheduler.getOpportunisticContainerContext().getBlacklist(),
          request.getResourceBlacklistRequest(),
          view.nodesToChooseFrom(),
          () -> next.allocate(id, request, response));
      guarded(
          "taking in what was given", () -> takeIn(attempt, application, inScheduler, response));
    } finally {
      guarded("counting what is outstanding", () -> settle(attempt, inScheduler));
    }
  }

  private void settle(Attempt attempt, SchedulerApplicationAttempt inScheduler) {
    if (limiter.counts()) {
      limiter.settle(
          attempt.id.getApplicationId(),
          attempt.book.outstanding(SchedulerView.outstanding(inScheduler)),
          SchedulerView.liveBestEffort(inScheduler));
    }
  }

  /** An ApplicationMaster must not fail because Charon does. */
  private void guarded(String what, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      long now = nanoTime.getAsLong();
      long due = nextWarningNanos.get();
      if (now - due >= 0 && nextWarningNanos.compareAndSet(due, now + WARNING_NANOS)) {
        LOG.warn(
            "Failed {}: the call goes on without (said once in a minute, however often)", what, e);
      }
    }
  }

  /** Forgets an application whose ApplicationMaster is done. */
  void finish(ApplicationId application) {
    attempts.remove(application);
    limiter.release(application);
  }

  private void letThrough(
      Attempt attempt,
      RMApp application,
      SchedulerApplicationAttempt inScheduler,
      AllocateRequest request) {
    long room =
        limiter.room(
            attempt.id.getApplicationId(),
            new OutstandingLedger.Owner(view.queuePath(application), application.getUser()),
            attempt.book.wanted(),
            () -> SchedulerView.liveBestEffort(inScheduler));
    List<ResourceRequest> asks = new ArrayList<>(request.getAskList());
    asks.removeIf(AskGate::isBestEffort);
    asks.addAll(attempt.book.pass(room, SchedulerView.outstanding(inScheduler)));
    request.setAskList(asks);
  }

  private void takeIn(
      Attempt attempt,
      RMApp application,
      SchedulerApplicationAttempt inScheduler,
      AllocateResponse response) {
    List<Container> allocated =
        response.getAllocatedContainers().stream()
            .filter(container -> container.getExecutionType() == ExecutionType.OPPORTUNISTIC)
            .toList();
    attempt.book.allocated(
        allocated, SchedulerView.outstanding(inScheduler), view.racks(allocated));
    if (!response.getCompletedContainersStatuses().isEmpty()) {
      Map<NodeId, List<ContainerStatus>> ended = SchedulerView.justEnded(application, attempt.id);
      avoidance.learn(attempt.avoided, ended, view.nodesToChooseFrom());
      evictions.learn(ended, view.registeredNodes());
    }
  }

  private static boolean isBestEffort(ResourceRequest request) {
    ExecutionTypeRequest type = request.getExecutionTypeRequest();
    return type != null && type.getExecutionType() == ExecutionType.OPPORTUNISTIC;
  }

  /** A new attempt knows nothing of what the one before asked for. */
  private Attempt attempt(ApplicationAttemptId id) {
    return attempts.compute(
        id.getApplicationId(),
        (application, known) -> known != null && known.id.equals(id) ? known : new Attempt(id));
  }

  /**
   * Gives back what ended attempts held, and counts anew the containers of applications that have
   * not called for a while: YARN tells processors neither of the one nor of the other.
   */
  private void reviewNowAndThen() {
    long now = nanoTime.getAsLong();
    long due = nextReviewNanos.get();
    if (now - due >= 0 && nextReviewNanos.compareAndSet(due, now + REVIEW_NANOS)) {
      attempts.values().removeIf(attempt -> !isCurrent(attempt));
    }
  }

  private boolean isCurrent(Attempt attempt) {
    ApplicationId application = attempt.id.getApplicationId();
    Optional<SchedulerApplicationAttempt> current = view.current(attempt.id);
    if (current.isEmpty()) {
      limiter.release(application);
    } else if (limiter.counts()) {
      limiter.settleLive(application, SchedulerView.liveBestEffort(current.get()));
    }
    return current.isPresent();
  }
}
