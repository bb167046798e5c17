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
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands before YARN's allocator of OPPORTUNISTIC containers and lets through as many of an
 * application's asks as the limits leave room for. The rest waits here and is let through with a
 * later heartbeat. GUARANTEED asks pass untouched.
 */
final class AskGate {

  private static final Logger LOG = LoggerFactory.getLogger(AskGate.class);
  private static final long REVIEW_NANOS = 1_000_000_000L;

  private static final class Attempt {
    private final ApplicationAttemptId id;
    private final AskBook book = new AskBook();
    private boolean heldBackLogged;

    Attempt(ApplicationAttemptId id) {
      this.id = id;
    }
  }

  private final SchedulerView view;
  private final BestEffortLimits limits;
  private final OutstandingLedger ledger;
  private final LongSupplier nanoTime;
  private final Map<ApplicationId, Attempt> attempts = new ConcurrentHashMap<>();
  private final AtomicLong nextReviewNanos;

  AskGate(SchedulerView view, BestEffortLimits limits, LongSupplier nanoTime) {
    this.view = view;
    this.limits = limits;
    this.nanoTime = nanoTime;
    ledger = new OutstandingLedger(limits);
    nextReviewNanos = new AtomicLong(nanoTime.getAsLong());
  }

  /** Serves one call of an ApplicationMaster through {@code next}. */
  void allocate(
      RMApp application,
      ApplicationAttemptId id,
      AllocateRequest request,
      AllocateResponse response,
      ApplicationMasterServiceProcessor next)
      throws YarnException {
    reviewNowAndThen();
    List<ResourceRequest> bestEffort =
        request.getAskList().stream().filter(AskGate::isBestEffort).toList();
    Attempt attempt = bestEffort.isEmpty() ? attempts.get(id.getApplicationId()) : null;
    SchedulerApplicationAttempt inScheduler = null;
    if (attempt != null || !bestEffort.isEmpty()) {
      inScheduler = view.current(id).orElse(null);
    }
    if (inScheduler == null) {
      next.allocate(id, request, response);
      return;
    }
    attempt = attempt(id);
    AskBook.Outstanding outstanding = SchedulerView.outstanding(inScheduler);
    attempt.book.update(bestEffort, limits.recordsPerApplication());
    List<ResourceRequest> passed = new ArrayList<>(request.getAskList());
    passed.removeIf(AskGate::isBestEffort);
    passed.addAll(attempt.book.pass(room(attempt, application), outstanding));
    request.setAskList(passed);
    try {
      next.allocate(id, request, response);
      List<Container> allocated =
          response.getAllocatedContainers().stream()
              .filter(container -> container.getExecutionType() == ExecutionType.OPPORTUNISTIC)
              .toList();
      attempt.book.allocated(allocated, outstanding, view.racks(allocated));
    } finally {
      if (limits.countsAcrossApplications()) {
        ledger.settle(
            id.getApplicationId(),
            attempt.book.outstanding(outstanding),
            SchedulerView.liveBestEffort(inScheduler));
      }
    }
  }

  /** Forgets an application whose ApplicationMaster is done. */
  void finish(ApplicationId application) {
    attempts.remove(application);
    ledger.release(application);
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

  private long room(Attempt attempt, RMApp application) {
    long wanted = attempt.book.wanted();
    long most = Math.min(wanted, limits.asksPerApplication());
    var owner = new OutstandingLedger.Owner(view.queuePath(application), application.getUser());
    var grant = new OutstandingLedger.Grant(most, OutstandingLedger.Binding.NONE);
    if (limits.countsAcrossApplications()) {
      grant = ledger.claim(attempt.id.getApplicationId(), owner, most);
    }
    if (grant.asks() < wanted && !attempt.heldBackLogged) {
      attempt.heldBackLogged = true;
      LOG.info(
          "{} wants {} best-effort containers, {} of them are asked for now, because {}. The others"
              + " wait for room.",
          attempt.id.getApplicationId(),
          wanted,
          grant.asks(),
          reason(owner, grant.binding()));
    }
    return grant.asks();
  }

  private String reason(OutstandingLedger.Owner owner, OutstandingLedger.Binding binding) {
    return switch (binding) {
      case NONE -> BestEffortLimits.ASKS_KEY + " is " + limits.asksPerApplication();
      case QUEUE ->
          "%s is %d and %d are outstanding in queue %s"
              .formatted(
                  limits.keyOfQueue(owner.queuePath()),
                  limits.ofQueue(owner.queuePath()),
                  ledger.outstandingInQueue(owner.queuePath()),
                  owner.queuePath());
      case USER ->
          "%s is %d and %d are outstanding of user %s"
              .formatted(
                  BestEffortLimits.PER_USER_KEY,
                  limits.perUser(),
                  ledger.outstandingOfUser(owner.user()),
                  owner.user());
    };
  }

  /**
   * Gives back what ended attempts held, and counts anew the containers of applications that have
   * not called for a while: YARN tells processors neither of the one nor of the other.
   */
  private void reviewNowAndThen() {
    long now = nanoTime.getAsLong();
    long due = nextReviewNanos.get();
    if (now - due < 0 || !nextReviewNanos.compareAndSet(due, now + REVIEW_NANOS)) {
      return;
    }
    attempts.values().removeIf(attempt -> !isCurrent(attempt));
  }

  private boolean isCurrent(Attempt attempt) {
    ApplicationId application = attempt.id.getApplicationId();
    Optional<SchedulerApplicationAttempt> current = view.current(attempt.id);
    if (current.isEmpty()) {
      ledger.release(application);
    } else if (limits.countsAcrossApplications()) {
      ledger.settleLive(application, SchedulerView.liveBestEffort(current.get()));
    }
    return current.isPresent();
  }
}
