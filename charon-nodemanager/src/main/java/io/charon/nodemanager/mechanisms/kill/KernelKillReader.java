/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.killer.client.KernelDecision;
import io.charon.killer.client.KernelKiller;
import io.charon.killer.client.KernelKillerException;
import io.charon.nodemanager.fault.GuardedParts;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes kills of YARN's containers out of the kernel killer's decisions: each is told once, and
 * once more when its memory is free. Not thread-safe.
 */
final class KernelKillReader {
  private static final Logger LOG = LoggerFactory.getLogger(KernelKillReader.class);

  /** After this a release is not expected any more; the helper gives up after 5 s. */
  private static final Duration RELEASE_EXPECTED = Duration.ofSeconds(10);

  /** After this nobody carries a decision out any more; {@code UA_CARRY_OUT_MS}, and a margin. */
  private static final Duration SIGNAL_EXPECTED = Duration.ofSeconds(5);

  /** What people see of a series before the thrash began. */
  private static final Duration SHOWN_BEFORE = Duration.ofSeconds(1);

  private final KernelRegistrations registrations;
  private final EarlierKills earlier;
  private final KernelKillListener listener;
  private final LongSupplier nanoClock;
  private final GuardedParts parts = new GuardedParts(LOG, () -> {});
  private final Map<String, KernelKill> unreleased = new LinkedHashMap<>();
  private long lastRead;

  /**
   * Has read nothing yet.
   *
   * @param registrations who runs
   * @param earlier kills while no NodeManager ran
   * @param listener told of every victim of this node
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

  /** Another killer is loaded: decisions have other numbers. */
  void forget() {
    unreleased.clear();
    lastRead = 0;
  }

  /** Reads what is not known yet; the next time again, if the killer does not answer. */
  void read(KernelKillerConnection.Connected connected) {
    try {
      for (KernelDecision decision : connected.killer().decisionsSince(lastRead)) {
        lastRead = decision.sequence();
        read(connected, decision);
      }
      followReleases(connected.killer());
    } catch (KernelKillerException e) {
      parts.failed("reading the kills of the kernel killer", e);
    }
  }

  private void read(KernelKillerConnection.Connected connected, KernelDecision decision)
      throws KernelKillerException {
    Map<Long, String> running = registrations.names();
    Map<Long, String> names = new HashMap<>(earlier.names());
    names.putAll(running);
    String victim = names.get(decision.victim());
    if (victim == null || decision.domain() != connected.domain()) {
      return; // of another domain, or of a container that nobody asks for any more
    }
    if (wasNeverCarriedOut(decision)) {
      return;
    }
    long shownFrom = decision.decisionNanos() - decision.thrashNanos() - SHOWN_BEFORE.toNanos();
    KernelKill kill =
        new KernelKill(
            decision,
            names,
            connected.killer().samples(decision.trigger()).stream()
                .filter(sample -> sample.nanos() >= shownFrom)
                .toList());
    if (running.containsKey(decision.victim()) || earlier.isReacquired(victim, kill)) {
      unreleased.put(victim, kill);
      listener.killed(victim, kill);
    }
  }

  /** Lower tiers decide without a helper, too, and then nobody sends the signal. */
  private boolean wasNeverCarriedOut(KernelDecision decision) {
    return decision.signals() == 0
        && nanoClock.getAsLong() - decision.decisionNanos() > SIGNAL_EXPECTED.toNanos();
  }

  /** The memory comes back some milliseconds after the decision was written down. */
  private void followReleases(KernelKiller killer) throws KernelKillerException {
    for (Map.Entry<String, KernelKill> entry : List.copyOf(unreleased.entrySet())) {
      KernelDecision before = entry.getValue().decision();
      Optional<KernelDecision> now =
          killer.decision(before.sequence()).filter(found -> found.release().isPresent());
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
