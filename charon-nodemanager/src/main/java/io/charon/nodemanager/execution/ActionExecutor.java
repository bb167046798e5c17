/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import com.codahale.metrics.Counter;
import io.charon.core.law.Action;
import io.charon.core.law.Cause;
import io.charon.core.law.Decision;
import io.charon.core.law.RegulatorMode;
import io.charon.nodemanager.report.audit.AuditLog;
import io.charon.nodemanager.report.audit.AuditRecord;
import io.charon.nodemanager.sensor.Measurement;
import io.charon.nodemanager.sensor.NodeSnapshot;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what regulators decided in a tick: first what takes from best-effort, then what gives
 * to it, the latter not more often than a sample per second would; a limit that holds is not set
 * again. Every action leaves a line in the audit. Whatever fails is counted, said once and tried
 * again at the next tick; nothing is ever thrown. For one thread.
 */
final class ActionExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(ActionExecutor.class);

  /** The laws are made for a sample per second; a tick may be a little early. */
  private static final Duration BETWEEN_WIDENINGS = Duration.ofMillis(900);

  /** A limit is set again now and then, because others may have changed it (ours). */
  private static final Duration HOLDS_UNSEEN = Duration.ofSeconds(10);

  private static final String TARGET = "best-effort";
  private static final String HOLDS = "applied before";

  /** What is known of one regulator's actuator. */
  private static final class Applied {
    boolean known;
    Optional<Decision> holding = Optional.empty();
    long nanos;
    long widenedNanos;
    boolean everWidened;
    boolean warned;
    String text = HOLDS;
    Cause lastCause;
    String lastResult = "";
  }

  private record Wanted(NodeRegulator regulator, Decision decision) {}

  private final Optional<AuditLog> audit;
  private final Counter failures;
  private final Clock clock;
  private final Map<NodeRegulator, Applied> applied = new HashMap<>();
  private boolean auditWritable = true;

  /**
   * Creates an executor that has done nothing yet.
   *
   * @param audit takes what is done, if anybody wants it
   * @param failures counts what failed
   * @param clock dates the audit
   */
  ActionExecutor(Optional<AuditLog> audit, Counter failures, Clock clock) {
    this.audit = audit;
    this.failures = failures;
    this.clock = clock;
  }

  /** Carries a tick's decisions out. */
  void execute(NodeSnapshot snapshot, Map<NodeRegulator, Decision> decisions) {
    List<Wanted> inOrder = new ArrayList<>();
    decisions.forEach((regulator, decision) -> inOrder.add(new Wanted(regulator, decision)));
    inOrder.sort(Comparator.comparing(this::widens));
    for (Wanted wanted : inOrder) {
      execute(snapshot, wanted.regulator(), wanted.decision());
    }
  }

  private boolean widens(Wanted wanted) {
    Applied before = applied.get(wanted.regulator());
    return before != null && widens(wanted.decision(), before);
  }

  private static boolean widens(Decision decision, Applied before) {
    return before.holding.filter(decision::allowsMoreThan).isPresent();
  }

  private void execute(NodeSnapshot snapshot, NodeRegulator regulator, Decision decision) {
    Applied before = applied.computeIfAbsent(regulator, key -> new Applied());
    String result = result(snapshot.nanos(), regulator, decision, before);
    boolean news =
        decision.action() != Action.KEEP
            || decision.cause() != before.lastCause
            || !result.equals(before.lastResult);
    if (news) {
      write(snapshot, regulator, decision, action(decision), TARGET, result, decision.reason());
    }
    before.lastCause = decision.cause();
    before.lastResult = result;
    if (before.known) {
      takeBack(snapshot, regulator, decision);
    }
    // Last, so that whoever sees a limit in the status finds it in the audit.
    regulator.show(snapshot, Optional.of(decision), result);
  }

  private String result(long nanos, NodeRegulator regulator, Decision decision, Applied before) {
    if (regulator.mode() != RegulatorMode.ENFORCE) {
      return "not applied: observe";
    }
    if (!regulator.mayAct()) {
      return "not applied: " + regulator.unavailable().orElse("nothing was measured yet");
    }
    boolean holds = before.holding.filter(decision::allowsAsMuchAs).isPresent();
    if (holds && nanos - before.nanos < HOLDS_UNSEEN.toNanos()) {
      return before.text;
    }
    boolean widens = widens(decision, before);
    if (widens && before.everWidened && nanos - before.widenedNanos < BETWEEN_WIDENINGS.toNanos()) {
      return "not applied: widened less than a second ago";
    }
    try {
      before.text = "applied: " + regulator.actuator().apply(decision);
      before.known = true;
      before.holding = Optional.of(decision);
      before.nanos = nanos;
      before.everWidened |= widens;
      before.widenedNanos = widens ? nanos : before.widenedNanos;
      before.warned = false;
      return before.text;
    } catch (IOException | RuntimeException e) {
      // What holds now is not known: the next tick sets it, whatever it is then.
      before.holding = Optional.empty();
      failed(regulator, before, e);
      return "failed: " + message(e);
    }
  }

  private void failed(NodeRegulator regulator, Applied before, Exception e) {
    failures.inc();
    if (!before.warned) {
      LOG.warn(
          "the limit of {} cannot be set; tried again at each tick, said once",
          regulator.resource().name(),
          e);
    }
    before.warned = true;
  }

  private void takeBack(NodeSnapshot snapshot, NodeRegulator regulator, Decision decision) {
    try {
      for (Effect effect : regulator.actuator().takeBack(decision)) {
        write(
            snapshot,
            regulator,
            decision,
            effect.action(),
            effect.target(),
            effect.result(),
            effect.reason());
      }
    } catch (RuntimeException e) {
      failures.inc();
      LOG.warn("{} could not be taken back", regulator.resource().name(), e);
    }
  }

  /**
   * Takes away what actuators installed, in this life or in one that ended without doing so.
   *
   * @return whether nothing is left
   */
  boolean undo(List<NodeRegulator> regulators) {
    boolean clean = true;
    for (NodeRegulator regulator : regulators) {
      try {
        regulator.actuator().undo();
      } catch (IOException | RuntimeException e) {
        clean = false;
        failures.inc();
        LOG.warn("the limit of {} could not be taken away", regulator.resource().name(), e);
      }
      applied.remove(regulator);
    }
    return clean;
  }

  private void write(
      NodeSnapshot snapshot,
      NodeRegulator regulator,
      Decision decision,
      String action,
      String target,
      String result,
      String reason) {
    if (audit.isEmpty()) {
      return;
    }
    Measurement bestEffort = regulator.resource().use().apply(snapshot).bestEffort();
    try {
      audit
          .get()
          .write(
              new AuditRecord(
                  clock.instant().toString(),
                  regulator.resource().name(),
                  AuditRecord.lower(regulator.mode()),
                  snapshot.foreground(),
                  AuditRecord.inputs(decision, bestEffort.value()),
                  decision.limit(),
                  action,
                  target,
                  result,
                  reason));
      auditWritable = true;
    } catch (IOException e) {
      if (auditWritable) {
        LOG.warn("decisions are not written down until the audit can be written again", e);
      }
      auditWritable = false;
      failures.inc();
    }
  }

  private static String action(Decision decision) {
    return AuditRecord.lower(decision.action());
  }

  private static String message(Exception e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}
