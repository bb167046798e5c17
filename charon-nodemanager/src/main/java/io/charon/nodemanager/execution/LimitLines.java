/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Change;
import io.charon.nodemanager.report.audit.Audit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The audit lines of one mechanism's decisions on one limit, or on one value that protects
 * production: one line whenever the limit, the rule or the result changes, and one for all moves by
 * the same rule within a second. Not thread-safe.
 */
final class LimitLines {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Audit audit;
  private final String mechanism;
  private String rule = "";
  private String result = "";
  private boolean written;
  private long writtenNanos;
  private Optional<Action> held = Optional.empty();
  private RegulatorMode heldMode = RegulatorMode.OFF;
  private int moves;
  private double lowest;
  private double highest;

  LimitLines(Audit audit, String mechanism) {
    this.audit = audit;
    this.mechanism = mechanism;
  }

  /** Adds a decision and its result. */
  void add(long nanos, RegulatorMode mode, Action.SetLimit wanted, String outcome) {
    add(nanos, mode, wanted, wanted.change() != Change.KEEP, outcome);
  }

  /** Adds a change of a value that protects production, and its result. */
  void add(long nanos, RegulatorMode mode, Action.Protect wanted, String outcome) {
    add(nanos, mode, wanted, true, outcome);
  }

  private void add(long nanos, RegulatorMode mode, Action wanted, boolean changes, String outcome) {
    boolean sameRule = wanted.basis().rule().equals(rule);
    boolean news = changes || !sameRule || !outcome.equals(result) || !written;
    boolean soon = written && nanos - writtenNanos < SECOND;
    boolean joins = soon && sameRule && kind(outcome).equals(kind(result));
    rule = wanted.basis().rule();
    if (!joins) {
      flush();
    }
    result = outcome;
    if (!news) {
      return;
    }
    if (joins) {
      hold(mode, wanted);
      return;
    }
    written = true;
    writtenNanos = nanos;
    audit.write(mechanism, mode, wanted.basis(), wanted.verb(), wanted.target(), outcome);
  }

  private void hold(RegulatorMode mode, Action wanted) {
    double amount = wanted.basis().limit();
    lowest = moves == 0 ? amount : Math.min(lowest, amount);
    highest = moves == 0 ? amount : Math.max(highest, amount);
    moves++;
    held = Optional.of(wanted);
    heldMode = mode;
  }

  /** Writes the line that was held back. */
  void flush() {
    held.ifPresent(
        last ->
            audit.write(
                mechanism,
                heldMode,
                moves == 1 ? last.basis() : summed(last.basis()),
                last.verb(),
                last.target(),
                result));
    held = Optional.empty();
    moves = 0;
  }

  /**
   * Writes the line that was held back if no further move joins it at this time.
   *
   * @return whether the next move has a line of its own
   */
  boolean flushIfOver(long nanos) {
    boolean over = nanos - writtenNanos >= SECOND;
    if (over) {
      flush();
    }
    return over;
  }

  private Basis summed(Basis last) {
    Map<String, Double> inputs = new LinkedHashMap<>(last.inputs());
    inputs.put("moves", (double) moves);
    inputs.put("lowest", lowest);
    inputs.put("highest", highest);
    return new Basis(last.protects(), inputs, last.limit(), last.rule(), last.reason());
  }

  /** Returns the kind of a result: applied, not applied or failed. */
  private static String kind(String outcome) {
    return outcome.substring(0, Math.max(0, outcome.indexOf(':')));
  }
}
