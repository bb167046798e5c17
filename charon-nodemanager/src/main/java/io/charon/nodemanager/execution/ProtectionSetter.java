/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import com.codahale.metrics.Counter;
import io.charon.core.mechanism.Action;
import io.charon.nodemanager.execution.ActionExecutor.WantedActions;
import io.charon.nodemanager.report.audit.Audit;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Changes the values that protect production's memory. Each change leaves a line in the audit, and
 * further changes of the same value within a second leave one together; what is not carried out
 * leaves a line only once. Not thread-safe.
 */
final class ProtectionSetter {
  private final LimitSetter limits;
  private final Audit audit;
  private final Counter failures;
  private final Map<String, LimitLines> lines = new HashMap<>();
  private final Map<String, Set<String>> said = new HashMap<>();

  /**
   * Creates a setter that has changed nothing.
   *
   * @param limits knows the actuators
   * @param audit receives the lines
   * @param failures counts failures
   */
  ProtectionSetter(LimitSetter limits, Audit audit, Counter failures) {
    this.limits = limits;
    this.audit = audit;
    this.failures = failures;
  }

  /** Makes the changes that best-effort has to give way for, before it is given anything. */
  void take(long nanos, List<WantedActions> wishes) {
    lines.values().removeIf(line -> line.flushIfOver(nanos));
    for (WantedActions wish : wishes) {
      said.computeIfAbsent(wish.mechanism(), name -> new HashSet<>())
          .retainAll(changes(wish).map(Action::summary).toList());
      changes(wish).filter(Action.Protect::takes).forEach(it -> set(nanos, wish, it));
    }
  }

  /** Makes the other changes. */
  void give(long nanos, List<WantedActions> wishes) {
    for (WantedActions wish : wishes) {
      changes(wish).filter(it -> !it.takes()).forEach(it -> set(nanos, wish, it));
    }
  }

  private static Stream<Action.Protect> changes(WantedActions wish) {
    return wish.actions().stream()
        .filter(Action.Protect.class::isInstance)
        .map(Action.Protect.class::cast);
  }

  private void set(long nanos, WantedActions wish, Action.Protect wanted) {
    String result = wish.refusal().orElseGet(() -> set(wanted));
    boolean isNew = said.get(wish.mechanism()).add(wanted.summary());
    if (isNew || result.startsWith(LimitSetter.APPLIED)) {
      lines
          .computeIfAbsent(
              wish.mechanism() + " " + wanted.target(),
              key -> new LimitLines(audit, wish.mechanism()))
          .add(nanos, wish.mode(), wanted, result);
    }
  }

  private String set(Action.Protect wanted) {
    try {
      return limits.set(wanted);
    } catch (IOException e) {
      failures.inc();
      return "failed: " + e.getMessage();
    }
  }

  /** Forgets what was said; writes the lines that were held back. */
  void forget() {
    lines.values().forEach(LimitLines::flush);
    lines.clear();
    said.clear();
  }
}
