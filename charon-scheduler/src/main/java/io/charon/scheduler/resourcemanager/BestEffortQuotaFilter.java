/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.core.scheduler.AvoidedNodes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
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
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs before YARN's allocator of OPPORTUNISTIC containers. It passes on only the part of an
 * application's asks for which the limits leave room, and keeps its retries off nodes that killed
 * or refused its containers. Asks that are held back are passed on with a later heartbeat.
 * GUARANTEED asks pass unchanged.
 */
final class BestEffortQuotaFilter {

  private static final Logger LOG = LoggerFactory.getLogger(BestEffortQuotaFilter.class);

  private static final long REVIEW_NANOS = 1_000_000_000L;

  private static final class Attempt {
    private final ApplicationAttemptId id;
    private final PendingRequests book;
    private final AvoidedNodes avoided = new AvoidedNodes();

    /** Keys of which Charon has made asks OPPORTUNISTIC, until nothing is wanted of them. */
    private final Set<SchedulerRequestKey> rewritten = new HashSet<>();

    Attempt(ApplicationAttemptId id, RMApp application) {
      this.id = id;
      book = new PendingRequests(MapReduceMaps.areOf(application));
    }
  }

  /** The subject of one call. */
  private record Served(
      Attempt attempt, RMApp application, SchedulerApplicationAttempt inScheduler) {}

  private final CircuitBreaker breaker;
  private final SchedulerView view;
  private final QuotaEnforcer limiter;
  private final NodeAvoidance avoidance;
  private final Evictions evictions;
  private final BooleanSupplier stopped;
  private final LongSupplier nanoTime;
  private final Map<ApplicationId, Attempt> attempts = new ConcurrentHashMap<>();

  /** Attempts without asks that were searched for containers since the last review. */
  private final Set<ApplicationAttemptId> searched = ConcurrentHashMap.newKeySet();

  private final AtomicLong nextReviewNanos;

  BestEffortQuotaFilter(
      CircuitBreaker breaker,
      SchedulerView view,
      QuotaEnforcer limiter,
      NodeAvoidance avoidance,
      Evictions evictions,
      BooleanSupplier stopped,
      LongSupplier nanoTime) {
    this.breaker = breaker;
    this.view = view;
    this.limiter = limiter;
    this.avoidance = avoidance;
    this.evictions = evictions;
    this.stopped = stopped;
    this.nanoTime = nanoTime;
    nextReviewNanos = new AtomicLong(nanoTime.getAsLong());
  }

  /** Returns the keys of which Charon has made asks OPPORTUNISTIC that wait. */
  Set<SchedulerRequestKey> rewritten(ApplicationAttemptId id) {
    Attempt attempt = attempts.get(id.getApplicationId());
    return attempt != null && attempt.id.equals(id)
        ? attempt.rewritten.stream().filter(attempt.book::wants).collect(Collectors.toSet())
        : Set.of();
  }

  /**
   * Serves one call of an ApplicationMaster through {@code next}, which is called once even if a
   * step of Charon fails. In that case YARN is asked for all that the application wants.
   *
   * @param rewritten keys of the call whose asks Charon has made OPPORTUNISTIC
   * @throws YarnException if {@code next} throws it, or, before {@code next} is called, if the
   *     application asks with more records than are kept for one
   */
  void allocate(
      ApplicationAttemptId id,
      AllocateRequest request,
      AllocateResponse response,
      ApplicationMasterServiceProcessor next,
      Set<SchedulerRequestKey> rewritten)
      throws YarnException {
    breaker.run("purging ended applications", this::reviewIfDue);
    Optional<Served> found = breaker.call("recording asks", () -> serve(id, request, rewritten));
    if (found.isEmpty()) {
      passHeldBack(id, request);
      next.allocate(id, request, response);
      return;
    }
    Served served = found.get();
    if (stopped.getAsBoolean() || isRefused(served, request)) {
      hold(served, request);
    } else if (!breaker.run("holding back asks", () -> forward(served, request))) {
      withoutLimits(served.attempt, request);
    }
    Optional<Set<String>> avoided = breaker.call("excluding nodes", () -> leaveOut(served));
    try {
      next.allocate(id, request, response);
      breaker.finish("recording allocated containers", () -> recordResponse(served, response));
    } finally {
      avoided.ifPresent(
          hosts ->
              breaker.finish(
                  "including nodes again",
                  () ->
                      avoidance.restore(
                          hosts,
                          leftOut(served.inScheduler),
                          request.getResourceBlacklistRequest())));
      breaker.run("counting outstanding asks", () -> settle(served.attempt, served.inScheduler));
    }
  }

  /**
   * Returns the subject of the call; empty if the call does not concern best-effort. An attempt
   * that asks for nothing may have containers, after a restart of the ResourceManager or from a
   * previous attempt, or because it demoted some. It is searched for them again and again, because
   * nodes may report them later than its master registers.
   */
  private Optional<Served> serve(
      ApplicationAttemptId id, AllocateRequest request, Set<SchedulerRequestKey> rewritten)
      throws YarnException {
    List<ResourceRequest> bestEffort =
        request.getAskList().stream().filter(BestEffortQuotaFilter::isBestEffort).toList();
    boolean known = !bestEffort.isEmpty() || attempts.containsKey(id.getApplicationId());
    if (!known && !searched.add(id)) {
      return Optional.empty();
    }
    Optional<SchedulerApplicationAttempt> current = view.current(id);
    Optional<RMApp> application = view.application(id);
    if (current.isEmpty()
        || application.isEmpty()
        || (!known && !SchedulerView.hasBestEffort(current.get()))) {
      return Optional.empty();
    }
    Attempt attempt = attempt(id, application.get());
    attempt.book.adopt(SchedulerView.outstanding(current.get()));
    attempt.book.update(bestEffort, limiter.maxRecords());
    attempt.rewritten.addAll(rewritten);
    attempt.rewritten.removeIf(key -> !attempt.book.wants(key));
    return Optional.of(new Served(attempt, application.get(), current.get()));
  }

  /** Passes on what was held back, with the first call after the breaker has opened. */
  private void passHeldBack(ApplicationAttemptId id, AllocateRequest request) {
    Attempt attempt = breaker.isOpen() ? attempts.remove(id.getApplicationId()) : null;
    if (attempt != null && attempt.id.equals(id)) {
      withoutLimits(attempt, request);
    }
  }

  /**
   * Asks for all that the application wants; if this fails too, for the call's own asks only. These
   * come last, because the book may lack them: the numbers are absolute.
   */
  private static void withoutLimits(Attempt attempt, AllocateRequest request) {
    try {
      List<ResourceRequest> asks = new ArrayList<>(attempt.book.passAll());
      asks.addAll(request.getAskList());
      request.setAskList(asks);
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("asks of {} that were held back are not sent to the scheduler", attempt.id, e);
    }
  }

  private static List<ResourceRequest> withoutBestEffort(
      AllocateRequest request, List<ResourceRequest> instead) {
    List<ResourceRequest> asks = new ArrayList<>(request.getAskList());
    asks.removeIf(BestEffortQuotaFilter::isBestEffort);
    asks.addAll(instead);
    return asks;
  }

  private Optional<Set<String>> leaveOut(Served served) {
    return Optional.of(
        avoidance.leaveOut(
            served.attempt.avoided, leftOut(served.inScheduler), view.nodesToChooseFrom()));
  }

  private static Set<String> leftOut(SchedulerApplicationAttempt inScheduler) {
    return inScheduler.getOpportunisticContainerContext().getBlacklist();
  }

  private void settle(Attempt attempt, SchedulerApplicationAttempt inScheduler) {
    limiter.settle(
        attempt.id.getApplicationId(),
        attempt.book.outstanding(SchedulerView.outstanding(inScheduler)),
        SchedulerView.liveBestEffort(inScheduler));
  }

  /** Removes an application whose ApplicationMaster has finished. */
  void finish(ApplicationId application) {
    attempts.remove(application);
    limiter.release(application);
  }

  /**
   * Returns whether YARN will refuse the call, because a GUARANTEED ask is too large. It does so
   * only after its allocator of OPPORTUNISTIC containers has served the others, and the application
   * would never learn of those containers.
   */
  private boolean isRefused(Served served, AllocateRequest request) throws YarnException {
    return breaker
        .call("comparing sizes", () -> firstTooLarge(served.application, request))
        .isPresent();
  }

  private Optional<ResourceRequest> firstTooLarge(RMApp application, AllocateRequest request) {
    List<ResourceRequest> guaranteed =
        request.getAskList().stream().filter(ask -> !isBestEffort(ask)).toList();
    return guaranteed.isEmpty()
        ? Optional.empty()
        : view.largestContainer(application)
            .flatMap(
                most ->
                    guaranteed.stream()
                        .filter(ask -> UnservableAsks.isLarger(ask, most))
                        .findFirst());
  }

  /**
   * Withdraws all best-effort asks from YARN for one call, during a stop or if YARN will refuse the
   * call; the book keeps them for later calls. Unlike limits, this fails closed: an error must not
   * start containers that an operator stopped.
   */
  private void hold(Served served, AllocateRequest request) {
    List<ResourceRequest> own = withoutBestEffort(request, List.of());
    if (!breaker.run(
        "holding all asks",
        () ->
            request.setAskList(
                withoutBestEffort(
                    request,
                    served.attempt.book.pass(0, SchedulerView.outstanding(served.inScheduler)))))) {
      request.setAskList(own);
    }
  }

  private void forward(Served served, AllocateRequest request) {
    PendingRequests book = served.attempt.book;
    long room =
        limiter.room(
            served.attempt.id.getApplicationId(),
            new OutstandingContainers.Owner(
                view.queuePath(served.application), served.application.getUser()),
            book.wantedInTurn(),
            () -> SchedulerView.liveBestEffort(served.inScheduler));
    request.setAskList(
        withoutBestEffort(request, book.pass(room, SchedulerView.outstanding(served.inScheduler))));
  }

  private void recordResponse(Served served, AllocateResponse response) {
    List<Container> allocated =
        response.getAllocatedContainers().stream()
            .filter(container -> container.getExecutionType() == ExecutionType.OPPORTUNISTIC)
            .toList();
    served.attempt.book.allocated(
        allocated, SchedulerView.outstanding(served.inScheduler), view.racks(allocated));
    if (!response.getCompletedContainersStatuses().isEmpty()) {
      Map<NodeId, List<ContainerStatus>> ended =
          SchedulerView.justEnded(served.application, served.attempt.id);
      avoidance.learn(served.attempt.avoided, ended, view.nodesToChooseFrom());
      evictions.learn(ended, view.registeredNodes());
    }
  }

  private static boolean isBestEffort(ResourceRequest request) {
    ExecutionTypeRequest type = request.getExecutionTypeRequest();
    return type != null && type.getExecutionType() == ExecutionType.OPPORTUNISTIC;
  }

  /**
   * Returns the state of an attempt. A new attempt knows nothing of the asks of the previous one.
   */
  private Attempt attempt(ApplicationAttemptId id, RMApp application) {
    return attempts.compute(
        id.getApplicationId(),
        (key, known) ->
            known != null && known.id.equals(id) ? known : new Attempt(id, application));
  }

  /**
   * Releases the room of ended attempts, and recounts the containers of applications that have not
   * called for a while, because YARN notifies processors of neither. Then shares the places among
   * users.
   */
  private void reviewIfDue() {
    long now = nanoTime.getAsLong();
    long due = nextReviewNanos.get();
    if (now - due >= 0 && nextReviewNanos.compareAndSet(due, now + REVIEW_NANOS)) {
      searched.clear();
      attempts.values().removeIf(attempt -> !isCurrent(attempt));
      limiter.review(view.freePlaces());
    }
  }

  private boolean isCurrent(Attempt attempt) {
    ApplicationId application = attempt.id.getApplicationId();
    Optional<SchedulerApplicationAttempt> current = view.current(attempt.id);
    if (current.isEmpty()) {
      limiter.release(application);
    } else {
      limiter.settleLive(application, SchedulerView.liveBestEffort(current.get()));
    }
    return current.isPresent();
  }
}
