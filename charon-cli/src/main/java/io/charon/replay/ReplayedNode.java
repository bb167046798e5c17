/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.replay;

import io.charon.core.scheduler.ExecutionType;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.RunningContainer;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.mechanisms.launch.LocalSchedulers;
import io.charon.nodemanager.report.recording.Recorded;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * One node of a replay. It passes the recorded events to a local scheduler and distinguishes the
 * containers that ran from those that would have run. A container that would have started earlier
 * uses its measured peak from then on; one that would not have started yet frees its working set.
 */
final class ReplayedNode {
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final LocalScheduler scheduler;
  private final Map<String, Long> peaks;
  private final ReplayTally tally;
  private final Map<String, Long> askedNanos = new HashMap<>();
  private final Map<String, Long> recordedNanos = new HashMap<>();
  private final Map<String, Long> replayedNanos = new HashMap<>();

  /** Containers that ran at this time in the recording. */
  private final Set<String> running = new HashSet<>();

  private Long beganNanos;
  private long lastNanos;
  private Optional<Long> readingNanos = Optional.empty();

  /**
   * Creates a node that has received no event yet.
   *
   * @param settings settings of the node
   * @param peaks measured peak of every container that ended, bytes
   * @param tally counts the differences
   */
  ReplayedNode(CharonSettings settings, Map<String, Long> peaks, ReplayTally tally) {
    this.scheduler = LocalSchedulers.bySnapshot(settings);
    this.peaks = peaks;
    this.tally = tally;
  }

  void accept(Recorded line) {
    if (beganNanos == null) {
      beganNanos = line.nanos();
    }
    lastNanos = line.nanos();
    if (line instanceof Recorded.Asked asked) {
      asked(asked);
    } else if (line instanceof Recorded.Adopted adopted) {
      adopted(adopted);
    } else if (line instanceof Recorded.Named named) {
      scheduler.jobKnown(named.request(), named.nanos());
    } else if (line instanceof Recorded.Ended ended) {
      ended(ended);
    } else if (line instanceof Recorded.Observed observed) {
      observed(observed);
    } else if (line instanceof Recorded.Killed) {
      tally.killed();
      scheduler.killedForMemory(line.nanos());
    } else if (line instanceof Recorded.Unobserved) {
      scheduler.unobserved();
    } else if (line instanceof Recorded.Bound bound) {
      scheduler.bound(
          bound.bytes() == null ? OptionalLong.empty() : OptionalLong.of(bound.bytes()));
    } else if (line instanceof Recorded.Processors seen) {
      scheduler.processors().seen(seen.count(), seen.runnablePerCore());
    } else if (line instanceof Recorded.Held held) {
      scheduler.hold(LaunchVerdict.Reason.FROZEN, held.hold());
    } else if (line instanceof Recorded.Learned learned) {
      learned(learned);
    } else if (line instanceof Recorded.Lost lost) {
      tally.lost(lost.lines());
    }
  }

  /** Ends the recording: containers that still run or wait are compared as they are. */
  void end() {
    Set<String> known = new TreeSet<>(recordedNanos.keySet());
    known.addAll(replayedNanos.keySet());
    known.forEach(this::compare);
    tally.lasted(beganNanos == null ? 0 : lastNanos - beganNanos);
  }

  private void adopted(Recorded.Adopted adopted) {
    running.add(adopted.request().containerId());
    if (adopted.launchedNanos() == null) {
      scheduler.adopt(adopted.request(), adopted.nanos());
    } else {
      scheduler.takeOver(adopted.request(), adopted.launchedNanos());
    }
  }

  private void learned(Recorded.Learned learned) {
    if (learned.restored()) {
      scheduler.restore(learned.state(), learned.wallMillis());
    } else {
      int unused = scheduler.learnPeaks(learned.peaks(), learned.wallMillis());
    }
  }

  private void asked(Recorded.Asked asked) {
    LaunchRequest request = asked.request();
    String containerId = request.containerId();
    boolean bestEffort = request.executionType() == ExecutionType.OPPORTUNISTIC;
    if (bestEffort) {
      askedNanos.putIfAbsent(containerId, asked.nanos());
    }
    if (bestEffort && asked.outcome() == LaunchDecision.Outcome.LAUNCHED) {
      running.add(containerId);
      recordedNanos.put(containerId, asked.nanos());
      tally.recorded().launched(asked.nanos() - askedNanos.get(containerId));
    }
    ask(request, asked.nanos());
  }

  private void ask(LaunchRequest request, long nanos) {
    LaunchDecision decision = scheduler.request(request, nanos);
    if (request.executionType() == ExecutionType.OPPORTUNISTIC && isLaunch(decision)) {
      launched(decision.containerId(), nanos);
    }
  }

  private static boolean isLaunch(LaunchDecision decision) {
    return decision.outcome() == LaunchDecision.Outcome.LAUNCHED;
  }

  private void launched(String containerId, long nanos) {
    if (replayedNanos.putIfAbsent(containerId, nanos) == null) {
      tally.replayed().launched(nanos - askedNanos.getOrDefault(containerId, nanos));
    }
  }

  private void ended(Recorded.Ended ended) {
    compare(ended.containerId());
    running.remove(ended.containerId());
    askedNanos.remove(ended.containerId());
    recordedNanos.remove(ended.containerId());
    replayedNanos.remove(ended.containerId());
    var unused =
        scheduler.ended(
            ended.containerId(), ended.peakBytes(), ended.wallMillis(), ended.truncated());
  }

  private void compare(String containerId) {
    tally.compare(
        containerId,
        beganNanos,
        Optional.ofNullable(recordedNanos.get(containerId)),
        Optional.ofNullable(replayedNanos.get(containerId)));
  }

  private void observed(Recorded.Observed observed) {
    Map<String, RunningContainer> replayed =
        scheduler.running().stream()
            .collect(Collectors.toMap(one -> one.request().containerId(), one -> one));
    Map<String, Long> used = new HashMap<>(observed.usedBytes());
    used.keySet().retainAll(replayed.keySet());
    long usedBytes = sum(used);
    long recordedBytes = sum(observed.usedBytes());
    NodeMemory memory = observed.memory();
    NodeMemory without =
        new NodeMemory(
            memory.capacityBytes(),
            Math.min(memory.capacityBytes(), memory.availableBytes() + recordedBytes - usedBytes));
    long aheadBytes =
        replayed.values().stream()
            .filter(one -> !running.contains(one.request().containerId()))
            .mapToLong(this::peakBytes)
            .sum();
    double seconds =
        readingNanos.map(before -> (observed.nanos() - before) / NANOS_PER_SECOND).orElse(0.0);
    readingNanos = Optional.of(observed.nanos());
    tally.reading();
    tally.recorded().reading(memory.availableBytes() <= 0, recordedBytes, seconds);
    tally
        .replayed()
        .reading(without.availableBytes() <= aheadBytes, usedBytes + aheadBytes, seconds);
    scheduler.observed(without, used, observed.nanos());
    startPermitted(observed.nanos());
  }

  /** Starts containers as YARN does when it learns that the first one in the queue may start. */
  private void startPermitted(long nanos) {
    Optional<LaunchDecision> first = scheduler.startFirst(nanos);
    while (first.filter(ReplayedNode::isLaunch).isPresent()) {
      launched(first.get().containerId(), nanos);
      first = scheduler.startFirst(nanos);
    }
  }

  private long peakBytes(RunningContainer one) {
    long measured = peaks.getOrDefault(one.request().containerId(), 0L);
    return measured > 0 ? measured : one.expectedPeakBytes();
  }

  private static long sum(Map<String, Long> bytes) {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }
}
