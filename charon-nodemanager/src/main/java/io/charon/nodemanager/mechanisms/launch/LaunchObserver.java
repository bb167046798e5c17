/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.core.kill.LowMemoryRule;
import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.LaunchDecision;
import io.charon.core.scheduler.LaunchRequest;
import io.charon.core.scheduler.LaunchVerdict;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.report.audit.Audit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes what Charon would do while stock YARN decides (mode observe). It asks its own launch
 * gate, whose decisions are not carried out, about waiting containers, and the rule of the
 * user-space killer about running ones. A container that the gate would have started is charged as
 * if it ran, so that several do not count on the same memory. It starts and kills nothing.
 * Thread-safe.
 */
public final class LaunchObserver {
  private static final Logger LOG = LoggerFactory.getLogger(LaunchObserver.class);

  /** Minimum gain: YARN itself needs some milliseconds to start a container (our choice). */
  private static final long GAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long MEBIBYTE = 1 << 20;

  /**
   * The differences that Charon would have made since the NodeManager started.
   *
   * @param seconds duration of the observation
   * @param startedEarlier best-effort containers that would have started at least 1 s before YARN
   *     started them, including those that YARN has not started yet
   * @param earlierSeconds total time by which they would have started earlier
   * @param heldBack containers that YARN started and the gate would not have, for any reason but
   *     the start limit and an operator's stop
   * @param killed containers that the user-space killer would have killed
   * @param launchableBytes memory that a launch might use now
   */
  public record Totals(
      double seconds,
      long startedEarlier,
      double earlierSeconds,
      long heldBack,
      long killed,
      long launchableBytes) {

    private Totals since(Totals before) {
      return new Totals(
          seconds - before.seconds,
          startedEarlier - before.startedEarlier,
          earlierSeconds - before.earlierSeconds,
          heldBack - before.heldBack,
          killed - before.killed,
          launchableBytes);
    }
  }

  private final LaunchGate gate;
  private final LowMemoryRule lowMemory;
  private final LongSupplier nanoClock;
  private final Audit audit;
  private final long sinceNanos;

  /** Containers that would run but wait in YARN's queue, with the time of their start. */
  private final Map<String, Long> aheadSinceNanos = new HashMap<>();

  /** Running containers, oldest first. */
  private final Set<String> running = new LinkedHashSet<>();

  /** Running containers that would have been killed. */
  private final Set<String> wouldBeKilled = new HashSet<>();

  private Map<String, Long> workingSetBytes = Map.of();
  private Optional<NodeMemory> read = Optional.empty();
  private long startedEarlier;
  private long earlierNanos;
  private long heldBack;
  private long killed;
  private Totals reported;

  /**
   * Creates an observer that has seen nothing yet.
   *
   * @param gate the gate, used by this observer alone
   * @param lowMemory the rule of the user-space killer
   * @param nanoClock monotonic nanoseconds
   * @param audit receives the actions that would have been taken
   */
  public LaunchObserver(
      LaunchGate gate, LowMemoryRule lowMemory, LongSupplier nanoClock, Audit audit) {
    this.gate = gate;
    this.lowMemory = lowMemory;
    this.nanoClock = nanoClock;
    this.audit = audit;
    this.sinceNanos = nanoClock.getAsLong();
    this.reported = new Totals(0, 0, 0, 0, 0, 0);
  }

  /** Returns the gate whose decisions are not carried out; it learns the peaks of jobs. */
  public LaunchGate gate() {
    return gate;
  }

  /** Handles the start of a best-effort container by YARN. */
  public synchronized void started(LaunchRequest request) {
    String containerId = request.containerId();
    if (aheadSinceNanos.containsKey(containerId)) {
      endLead(containerId);
    } else {
      LaunchDecision decision = gate.request(request);
      if (decision.outcome() != LaunchDecision.Outcome.LAUNCHED) {
        // The start limit would have delayed the container only briefly; a stop is the operator's.
        LaunchVerdict.Reason reason = decision.verdict().reason();
        if (reason != LaunchVerdict.Reason.STARTING_LIMIT
            && reason != LaunchVerdict.Reason.STOPPED) {
          heldBack++;
          write("hold-back", decision);
        }
        gate.adopt(request);
      }
    }
    running.add(containerId);
  }

  /** Adds a best-effort container that was found running after a restart. */
  public synchronized void reacquired(LaunchRequest request) {
    gate.adopt(request);
    running.add(request.containerId());
  }

  /**
   * Removes a container that is no longer best-effort or has ended.
   *
   * @param peakBytes its highest working set, 0 if never measured
   * @param end how it ended
   */
  public synchronized void ended(String containerId, long peakBytes, ContainerEnd end) {
    endLead(containerId);
    running.remove(containerId);
    wouldBeKilled.remove(containerId);
    gate.ended(containerId, peakBytes, end);
  }

  /** Counts the lead of a container, if it has one, for good: the totals never fall. */
  private void endLead(String containerId) {
    Long aheadSince = aheadSinceNanos.remove(containerId);
    if (aheadSince != null) {
      long lead = nanoClock.getAsLong() - aheadSince;
      if (lead >= GAIN_NANOS) {
        startedEarlier++;
        earlierNanos += lead;
      }
    }
  }

  /**
   * Handles a tick's reading of the node.
   *
   * @param memory the node's memory
   * @param offered the part of it that launches could count on
   * @param workingSets working sets of the running best-effort containers, bytes by container id
   * @param waiting best-effort containers in YARN's queue, in order of arrival
   */
  public synchronized void observed(
      NodeMemory memory,
      NodeMemory offered,
      Map<String, Long> workingSets,
      List<LaunchRequest> waiting) {
    workingSetBytes = Map.copyOf(workingSets);
    read = Optional.of(memory);
    forgetGone(waiting);
    gate.observed(offered, workingSets);
    for (LaunchRequest request : waiting) {
      if (!aheadSinceNanos.containsKey(request.containerId()) && wouldStart(request)) {
        aheadSinceNanos.put(request.containerId(), nanoClock.getAsLong());
      }
    }
    judgeRunning(memory);
    report();
  }

  /** Returns the differences so far. */
  public synchronized Totals totals() {
    long now = nanoClock.getAsLong();
    List<Long> leads =
        aheadSinceNanos.values().stream()
            .map(since -> now - since)
            .filter(n -> n >= GAIN_NANOS)
            .toList();
    long stillEarlier = leads.stream().mapToLong(Long::longValue).sum();
    return new Totals(
        (now - sinceNanos) / NANOS_PER_SECOND,
        startedEarlier + leads.size(),
        (earlierNanos + stillEarlier) / NANOS_PER_SECOND,
        heldBack,
        killed,
        gate.view().launchableBytes());
  }

  private boolean wouldStart(LaunchRequest request) {
    LaunchDecision decision = gate.request(request);
    boolean starts = decision.outcome() == LaunchDecision.Outcome.LAUNCHED;
    if (starts) {
      write("launch", decision);
    }
    return starts;
  }

  private void write(String action, LaunchDecision decision) {
    write(
        action,
        decision.containerId(),
        decision.verdict().limitBytes(),
        decision.verdict().reason().text());
  }

  private void write(String action, String containerId, long limitBytes, String reason) {
    audit.write(
        "scheduler",
        RegulatorMode.OBSERVE,
        new Basis(
            "the node",
            read.map(
                    memory ->
                        Map.of(
                            "available", (double) memory.availableBytes(),
                            "capacity", (double) memory.capacityBytes()))
                .orElse(Map.of()),
            limitBytes,
            action,
            reason),
        action,
        containerId,
        "not applied: observe");
  }

  /** Forgets containers that left YARN's queue without having run. */
  private void forgetGone(List<LaunchRequest> waiting) {
    Set<String> known = new HashSet<>(running);
    waiting.forEach(request -> known.add(request.containerId()));
    LaunchView view = gate.view();
    List<String> gone = new ArrayList<>();
    view.running().forEach(entry -> gone.add(entry.container().request().containerId()));
    view.waiting().forEach(entry -> gone.add(entry.request().containerId()));
    gone.removeAll(known);
    gone.forEach(containerId -> ended(containerId, 0, ContainerEnd.OTHER));
  }

  /**
   * Applies the killer's rule. The memory of containers that would have been killed counts as
   * available.
   */
  private void judgeRunning(NodeMemory memory) {
    long givenBack =
        wouldBeKilled.stream().mapToLong(id -> workingSetBytes.getOrDefault(id, 0L)).sum();
    List<String> alive = running.stream().filter(id -> !wouldBeKilled.contains(id)).toList();
    lowMemory
        .victim(memory.capacityBytes(), memory.availableBytes() + givenBack, alive, false)
        .ifPresent(
            victim -> {
              wouldBeKilled.add(victim);
              killed++;
              gate.killedForMemory();
              write(
                  "kill",
                  victim,
                  lowMemory.thresholdBytes(memory.capacityBytes()),
                  "less memory is free than the user-space killer keeps free");
              LOG.info(
                  "observe: {} would be killed: {} MiB of {} MiB left, threshold {} MiB",
                  victim,
                  memory.availableBytes() / MEBIBYTE,
                  memory.capacityBytes() / MEBIBYTE,
                  lowMemory.thresholdBytes(memory.capacityBytes()) / MEBIBYTE);
            });
  }

  private void report() {
    Totals now = totals();
    Totals minute = now.since(reported);
    if (minute.seconds() * NANOS_PER_SECOND < REPORT_NANOS) {
      return;
    }
    reported = now;
    LOG.info(
        "observe: in the last {} s {} containers would have started, {} s earlier in total; {}"
            + " would have been held back and {} killed; best-effort could use {} MiB now",
        Math.round(minute.seconds()),
        minute.startedEarlier(),
        Math.round(minute.earlierSeconds()),
        minute.heldBack(),
        minute.killed(),
        now.launchableBytes() / MEBIBYTE);
  }
}
