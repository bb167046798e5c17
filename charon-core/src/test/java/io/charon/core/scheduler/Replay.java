/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.scheduler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Applies steps to a scheduler and independently keeps the state by which its decisions are judged:
 * the memory, the waiting containers, the needs of jobs, and whether there was a recent kill. It
 * follows the scheduler's decisions; the tests judge them.
 */
final class Replay {
  static final int QUEUE_LIMIT = 3;
  static final Owner OWNER = new Owner("alice", "application_1");
  static final Duration RESYNC = Duration.ofNanos(50);
  static final Duration DELAY = Duration.ofNanos(40);

  private static final int PROFILE_WINDOW = 4;

  /**
   * A request and the state before it.
   *
   * @param ran whether the container was already running
   * @param waitedBefore the waiting containers in the order in which they start
   * @param delayed whether a kill was less than the delay ago
   * @param memoryKnown whether the last attempt to read the memory succeeded
   * @param availableBytes the correct available memory of the snapshot
   * @param expectedPeakBytes the correct expected peak of the container
   */
  record Asked(
      LaunchRequest request,
      LaunchDecision decision,
      boolean ran,
      List<String> waitedBefore,
      boolean delayed,
      boolean memoryKnown,
      long availableBytes,
      long expectedPeakBytes) {
    boolean bestEffort() {
      return request.executionType() == ExecutionType.OPPORTUNISTIC;
    }

    /** Returns whether this request itself made a best-effort container start. */
    boolean launched() {
      return bestEffort() && !ran && decision.outcome() == LaunchDecision.Outcome.LAUNCHED;
    }

    boolean waited() {
      return waitedBefore.contains(request.containerId());
    }

    boolean isNext() {
      return waitedBefore.isEmpty() || waitedBefore.get(0).equals(request.containerId());
    }

    boolean mayStart() {
      return isNext() && memoryKnown && !delayed && expectedPeakBytes <= availableBytes;
    }
  }

  private final LocalScheduler scheduler;
  private final MemoryBooks books = new MemoryBooks();
  private final List<String> waiting = new ArrayList<>();
  private final Map<JobKey, List<Long>> peaks = new HashMap<>();
  private final Map<String, Long> requestedBytes = new HashMap<>();
  private final List<Double> sharesOfRequests = new ArrayList<>();
  private final long startNanos;
  private long elapsedNanos;
  private long undelayedAtNanos;
  private long resyncDueNanos;

  Replay(LaunchPolicy policy, long startNanos) {
    this.scheduler =
        new LocalScheduler(
            new LaunchQueue(QUEUE_LIMIT), new PeakProfile(PROFILE_WINDOW, 100), policy);
    this.startNanos = startNanos;
  }

  static Replay ofSnapshotPolicy(long startNanos) {
    return new Replay(new SnapshotLaunchPolicy(RESYNC, DELAY), startNanos);
  }

  static LaunchRequest request(ExecutionType type, int container, long bytes) {
    return new LaunchRequest(
        "c" + container, type, new JobKey("job" + container % 2), OWNER, bytes);
  }

  List<LaunchRequest> waitingRequests() {
    return scheduler.waiting(nowNanos());
  }

  LocalScheduler scheduler() {
    return scheduler;
  }

  MemoryBooks books() {
    return books;
  }

  List<String> waiting() {
    return waiting;
  }

  /** Returns the time that the scheduler gets; it wraps around as {@code System.nanoTime} may. */
  long nowNanos() {
    return startNanos + elapsedNanos;
  }

  List<Asked> all(List<Step> steps) {
    return steps.stream().map(this::apply).flatMap(Optional::stream).toList();
  }

  Optional<Asked> apply(Step step) {
    elapsedNanos += step.afterNanos();
    if (step instanceof Step.Requests asks) {
      return Optional.of(ask(request(ExecutionType.OPPORTUNISTIC, asks.container(), asks.bytes())));
    } else if (step instanceof Step.RequestsGuaranteed asks) {
      return Optional.of(ask(request(ExecutionType.GUARANTEED, asks.container(), 1)));
    } else if (step instanceof Step.Adopted adopted) {
      adopt(request(ExecutionType.OPPORTUNISTIC, adopted.container(), adopted.bytes()));
    } else if (step instanceof Step.Ended ended) {
      end(ended.container(), ended.peakBytes());
    } else if (step instanceof Step.KilledForMemory) {
      scheduler.killedForMemory(nowNanos());
      undelayedAtNanos = elapsedNanos + DELAY.toNanos();
    } else if (step instanceof Step.Observed observed) {
      observe(observed);
    } else if (step instanceof Step.Unobserved) {
      scheduler.unobserved();
      books.lost();
    }
    return Optional.empty();
  }

  Asked ask(LaunchRequest request) {
    String containerId = request.containerId();
    List<String> waitedBefore = List.copyOf(waiting);
    boolean ran = books.runs(containerId);
    long availableBytes = books.availableBytes();
    long expectedPeakBytes = expectedPeakBytes(request);
    LaunchDecision decision = scheduler.request(request, nowNanos());
    Asked asked =
        new Asked(
            request,
            decision,
            ran,
            waitedBefore,
            elapsedNanos < undelayedAtNanos,
            books.known(),
            availableBytes,
            expectedPeakBytes);
    if (decision.outcome() != LaunchDecision.Outcome.QUEUED) {
      waiting.remove(containerId);
    } else if (!asked.waited()) {
      waiting.add(containerId);
    }
    if (asked.launched()) {
      books.started(containerId, expectedPeakBytes);
      requestedBytes.put(containerId, request.requestedBytes());
    }
    return asked;
  }

  boolean end(int container, long peakBytes) {
    String containerId = "c" + container;
    waiting.remove(containerId);
    if (books.runs(containerId)) {
      books.ended(containerId);
      if (peakBytes > 0) {
        peaks
            .computeIfAbsent(
                request(ExecutionType.OPPORTUNISTIC, container, 1).job(), job -> new ArrayList<>())
            .add(peakBytes);
        sharesOfRequests.add((double) peakBytes / requestedBytes.get(containerId));
      }
    }
    return scheduler.ended(containerId, peakBytes).isPresent();
  }

  private void adopt(LaunchRequest request) {
    waiting.remove(request.containerId());
    if (!books.runs(request.containerId())) {
      books.started(request.containerId(), expectedPeakBytes(request));
      requestedBytes.put(request.containerId(), request.requestedBytes());
    }
    scheduler.adopt(request, nowNanos());
  }

  private void observe(Step.Observed observed) {
    Map<String, Long> usedBytes = new LinkedHashMap<>();
    for (int container = 0; container < Step.CONTAINERS; container++) {
      if (observed.usedBytes().get(container) > 0) {
        usedBytes.put("c" + container, observed.usedBytes().get(container));
      }
    }
    if (!books.known() || elapsedNanos >= resyncDueNanos) {
      books.read(observed.availableBytes(), usedBytes);
      resyncDueNanos = elapsedNanos + RESYNC.toNanos();
    }
    scheduler.observed(
        new NodeMemory(Step.CAPACITY_BYTES, observed.availableBytes()), usedBytes, nowNanos());
  }

  /**
   * Returns the highest of the last four peaks, once there are three; before that, the highest
   * share of a request among the last hundred containers, once there are twenty.
   */
  private long expectedPeakBytes(LaunchRequest request) {
    List<Long> known = peaks.getOrDefault(request.job(), List.of());
    int shares = sharesOfRequests.size();
    if (known.size() < 3 && shares < 20) {
      return request.requestedBytes();
    }
    if (known.size() < 3) {
      double highest =
          sharesOfRequests.stream()
              .skip(Math.max(0, shares - 100))
              .max(Double::compare)
              .orElseThrow();
      long millionths = Math.max(1, Math.round(1e6 * highest));
      return Math.min(
          request.requestedBytes(), (long) Math.ceil(millionths / 1e6 * request.requestedBytes()));
    }
    long learnedBytes =
        known.stream()
            .skip(Math.max(0, known.size() - PROFILE_WINDOW))
            .mapToLong(Long::longValue)
            .max()
            .orElseThrow();
    return books.nobodyRuns() ? Math.min(learnedBytes, request.requestedBytes()) : learnedBytes;
  }
}
