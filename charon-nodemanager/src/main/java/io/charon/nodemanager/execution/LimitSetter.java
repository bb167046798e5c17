/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import com.codahale.metrics.Counter;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Limit;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets limits by their actuators. A limit that holds is not set again, and limits are widened at
 * most once per second. Not thread-safe, except {@link #unavailable}.
 */
final class LimitSetter {
  private static final Logger LOG = LoggerFactory.getLogger(LimitSetter.class);

  /** The beginning of the result of an action that was carried out. */
  static final String APPLIED = "applied: ";

  /** The result of an action that is only reported. */
  static final String OBSERVED = "not applied: observe";

  /** Minimum time between widenings: laws expect one sample per second, and a tick may be early. */
  private static final Duration BETWEEN_WIDENINGS = Duration.ofMillis(900);

  /**
   * Time after which a limit is set again, because it may have been changed elsewhere (our choice).
   */
  private static final Duration HOLDS_UNSEEN = Duration.ofSeconds(10);

  /** The state of one limit. */
  private static final class Applied {
    boolean known;
    Optional<Action.SetLimit> holding = Optional.empty();
    long nanos;
    long widenedNanos;
    boolean everWidened;
    boolean warned;
    String text = "";
  }

  private final Counter failures;
  private volatile Map<Limit, Actuator> actuators = Map.of();
  private final Map<Limit, Applied> applied = new HashMap<>();

  LimitSetter(Counter failures) {
    this.failures = failures;
  }

  /**
   * Replaces the actuators. Undoes the limits of the old ones, and those that the new ones find.
   */
  void use(Map<Limit, Actuator> fresh) {
    undo();
    actuators = new LinkedHashMap<>(fresh); // never changed
    undo();
  }

  private void undo() {
    applied.clear();
    actuators.forEach(
        (limit, actuator) -> {
          try {
            actuator.undo();
          } catch (IOException | RuntimeException e) {
            failures.inc();
            LOG.warn("cannot remove the limit {}", limit, e);
          }
        });
  }

  /** Returns why a limit cannot be set on this machine, with the cure; empty if it can. */
  Optional<String> unavailable(Limit limit) {
    return actuator(limit).unavailable();
  }

  /** Returns the actuator of a limit; one that always fails if this machine has none. */
  Actuator actuator(Limit limit) {
    return Optional.ofNullable(actuators.get(limit))
        .orElseGet(() -> Actuator.missing("the limit " + limit + " cannot be set here"));
  }

  /** Sets a container's own limit at once. */
  String set(Action.ContainerSetting wanted) throws IOException {
    Actuator actuator = actuator(wanted.limit());
    return APPLIED
        + (wanted instanceof Action.SetBandwidth bandwidth
            ? actuator.apply(bandwidth)
            : actuator.apply((Action.SetQuota) wanted));
  }

  /** Sets a value that protects production at once. */
  String set(Action.Protect wanted) throws IOException {
    return APPLIED + actuator(wanted.limit()).apply(wanted);
  }

  /** Returns whether a limit has been set since the last {@link #use}. */
  boolean isKnown(Limit limit) {
    return Optional.ofNullable(applied.get(limit)).map(state -> state.known).orElse(false);
  }

  /** Returns whether a limit gives best-effort more than the one that holds. */
  boolean widens(Action.SetLimit wanted) {
    return Optional.ofNullable(applied.get(wanted.limit()))
        .flatMap(before -> before.holding)
        .filter(wanted::allowsMoreThan)
        .isPresent();
  }

  /** Sets a limit if necessary; never throws because of the machine. */
  String set(long nanos, Action.SetLimit wanted) {
    Applied before = applied.computeIfAbsent(wanted.limit(), limit -> new Applied());
    boolean holds = before.holding.filter(wanted::allowsAsMuchAs).isPresent();
    if (holds
        && actuator(wanted.limit()).holds()
        && nanos - before.nanos < HOLDS_UNSEEN.toNanos()) {
      return before.text;
    }
    boolean widens = widens(wanted);
    if (widens && before.everWidened && nanos - before.widenedNanos < BETWEEN_WIDENINGS.toNanos()) {
      return "not applied: the limit was raised less than a second ago";
    }
    try {
      before.text = APPLIED + actuator(wanted.limit()).apply(wanted);
      before.known = true;
      before.holding = Optional.of(wanted);
      before.nanos = nanos;
      before.everWidened |= widens;
      before.widenedNanos = widens ? nanos : before.widenedNanos;
      before.warned = false;
      return before.text;
    } catch (IOException | RuntimeException e) {
      // The limit that holds is unknown now, so the next decision is set in any case.
      before.holding = Optional.empty();
      failures.inc();
      if (!before.warned) {
        LOG.warn("cannot set {}; retried at each tick (logged once)", wanted.limit(), e);
      }
      before.warned = true;
      return "failed: " + message(e);
    }
  }

  private static String message(Exception e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}
