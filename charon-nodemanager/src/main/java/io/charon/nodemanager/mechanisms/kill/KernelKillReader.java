/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.killer.client.KernelDecision;
import io.charon.killer.client.KernelKiller;
import io.charon.killer.client.KernelKiller.ContainerSample;
import io.charon.killer.client.KernelKillerException;
import io.charon.nodemanager.fault.GuardedParts;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns the kernel killer's decisions into kills of YARN's containers. Each kill is reported once,
 * and once more when its memory has been released. Not thread-safe.
 */
final class KernelKillReader {
  private static final Logger LOG = LoggerFactory.getLogger(KernelKillReader.class);

  /** Time after which no release is expected any more; the helper gives up after 5 s. */
  private static final Duration RELEASE_EXPECTED = Duration.ofSeconds(10);

  /**
   * Time after which a decision is not carried out any more: {@code UA_CARRY_OUT_MS} and a margin.
   */
  private static final Duration SIGNAL_EXPECTED = Duration.ofSeconds(5);

  /** Length of the series shown from before the thrash began. */
  private static final Duration SHOWN_BEFORE = Duration.ofSeconds(1);

  private final KernelRegistrations registrations;
  private final EarlierKills earlier;
  private final KernelKillListener listener;
  private final LongSupplier nanoClock;
  private final GuardedParts parts = new GuardedParts(LOG, () -> {});
  private final Map<String, KernelKill> unreleased = new LinkedHashMap<>();
  private final NavigableSet<Long> readAfterLast = new TreeSet<>();

  /** The last decision before the first one of which it is not known whether it is carried out. */
  private long lastRead;

  /**
   * Creates a reader that has read nothing yet.
   *
   * @param registrations the registered containers and services
   * @param earlier kills while no NodeManager was running
   * @param listener receives the kills of this node
   * @param nanoClock monotonic nanoseconds, the clock of the kernel's records
   */
  KernelKillReader(
      KernelRegistrations registrations,
      EarlierKills earlier,
      KernelKillListener listener,
      LongSupplier nanoClock) {
    this.registrations = registrations;
    this.earlier = earlier;
    this.listener = listener;
    this.nanoClock = nanoClock;
  }

  /** Forgets all decisions, because a newly loaded killer numbers its decisions anew. */
  void forget() {
    unreleased.clear();
    readAfterLast.clear();
    lastRead = 0;
  }

  /**
   * Reads new decisions. If the killer does not answer, or a decision has not been carried out yet,
   * a later call reads them.
   */
  void read(KernelKillerConnection.Connected connected) {
    try {
      boolean complete = true;
      for (KernelDecision decision : connected.killer().decisionsSince(lastRead)) {
        complete &= !mayBeCarriedOut(decision);
        if (complete) {
          lastRead = decision.sequence();
        }
        if (decision.execution().signals() > 0 && readAfterLast.add(decision.sequence())) {
          read(connected, decision);
        }
      }
      readAfterLast.headSet(lastRead, true).clear();
      followReleases(connected.killer());
    } catch (KernelKillerException e) {
      parts.failed("reading the kills of the kernel killer", e);
    }
  }

  private void read(KernelKillerConnection.Connected connected, KernelDecision decision) {
    Map<Long, String> running = registrations.names();
    Map<Long, String> names = new HashMap<>(earlier.names());
    names.putAll(running);
    String victim = names.get(decision.victim().container());
    if (victim == null || decision.domain() != connected.domain()) {
      return; // belongs to another domain, or to a container that is no longer of interest
    }
    KernelKill kill = new KernelKill(decision, names, series(connected.killer(), decision));
    if (running.containsKey(decision.victim().container()) || earlier.isReacquired(victim, kill)) {
      unreleased.put(victim, kill);
      listener.killed(victim, kill);
    }
  }

  /**
   * Returns the series behind a decision; empty if the killer does not answer, because no later
   * call reads this decision again.
   */
  private List<ContainerSample> series(KernelKiller killer, KernelDecision decision) {
    long shownFrom = decision.decisionNanos() - decision.trigger().nanos() - SHOWN_BEFORE.toNanos();
    try {
      return killer.samples(decision.trigger().container()).stream()
          .filter(sample -> sample.nanos() >= shownFrom)
          .toList();
    } catch (KernelKillerException e) {
      parts.failed("reading the series of a kill", e);
      return List.of();
    }
  }

  /**
   * Returns whether signals may follow: lower tiers decide without a helper, too, and then none do.
   */
  private boolean mayBeCarriedOut(KernelDecision decision) {
    return decision.execution().signals() == 0
        && nanoClock.getAsLong() - decision.decisionNanos() <= SIGNAL_EXPECTED.toNanos();
  }

  /** Reports releases, which follow some milliseconds after the decision was recorded. */
  private void followReleases(KernelKiller killer) throws KernelKillerException {
    for (Map.Entry<String, KernelKill> entry : List.copyOf(unreleased.entrySet())) {
      KernelDecision before = entry.getValue().decision();
      Optional<KernelDecision> now =
          killer
              .decision(before.sequence())
              .filter(found -> found.execution().release().isPresent());
      if (now.isPresent()) {
        listener.released(entry.getKey(), entry.getValue().with(now.get()));
      }
      if (now.isPresent()
          || nanoClock.getAsLong() - before.decisionNanos() > RELEASE_EXPECTED.toNanos()) {
        unreleased.remove(entry.getKey());
      }
    }
  }
}
