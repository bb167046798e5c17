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
 * Sets limits by their actuators: one that holds is not set again, and one that gives not more
 * often than a sample per second would. For one thread.
 */
final class LimitSetter {
  private static final Logger LOG = LoggerFactory.getLogger(LimitSetter.class);

  /** The laws are made for a sample per second; a tick may be a little early. */
  private static final Duration BETWEEN_WIDENINGS = Duration.ofMillis(900);

  /** A limit is set again now and then, because others may have changed it (ours). */
  private static final Duration HOLDS_UNSEEN = Duration.ofSeconds(10);

  /** What is known of one limit. */
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
  private final Map<Limit, Actuator> actuators = new LinkedHashMap<>();
  private final Map<Limit, Applied> applied = new HashMap<>();

  LimitSetter(Counter failures) {
    this.failures = failures;
  }

  /** Undoes what was set by the actuators of before, and what fresh ones find left behind. */
  void use(Map<Limit, Actuator> fresh) {
    undo();
    actuators.clear();
    actuators.putAll(fresh);
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
            LOG.warn("the limit of {} could not be taken away", limit, e);
          }
        });
  }

  /** Why a limit cannot be set on this machine, with the cure; empty if it can. */
  Optional<String> unavailable(Limit limit) {
    return actuator(limit).unavailable();
  }

  /** What sets a limit, or stands for what this machine cannot have. */
  Actuator actuator(Limit limit) {
    return Optional.ofNullable(actuators.get(limit))
        .orElseGet(() -> Actuator.missing("nothing here sets a limit of " + limit));
  }

  /** Sets a container's own, at once. */
  String set(Action.SetOfContainer wanted) throws IOException {
    Actuator actuator = actuator(wanted.limit());
    return "applied: "
        + (wanted instanceof Action.SetBandwidth bandwidth
            ? actuator.apply(bandwidth)
            : actuator.apply((Action.SetQuota) wanted));
  }

  /** Whether a limit was ever set. */
  boolean isKnown(Limit limit) {
    return Optional.ofNullable(applied.get(limit)).map(state -> state.known).orElse(false);
  }

  /** Whether a limit gives best-effort more than the one that holds. */
  boolean widens(Action.SetLimit wanted) {
    return Optional.ofNullable(applied.get(wanted.limit()))
        .flatMap(before -> before.holding)
        .filter(wanted::allowsMoreThan)
        .isPresent();
  }

  /** Sets a limit, if that is to be; never throws because of the machine. */
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
      return "not applied: widened less than a second ago";
    }
    try {
      before.text = "applied: " + actuator(wanted.limit()).apply(wanted);
      before.known = true;
      before.holding = Optional.of(wanted);
      before.nanos = nanos;
      before.everWidened |= widens;
      before.widenedNanos = widens ? nanos : before.widenedNanos;
      before.warned = false;
      return before.text;
    } catch (IOException | RuntimeException e) {
      // What holds now is not known: the next decision sets it, whatever it is then.
      before.holding = Optional.empty();
      failures.inc();
      if (!before.warned) {
        LOG.warn("{} cannot be set; tried again each time, said once", wanted.limit(), e);
      }
      before.warned = true;
      return "failed: " + message(e);
    }
  }

  private static String message(Exception e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}
