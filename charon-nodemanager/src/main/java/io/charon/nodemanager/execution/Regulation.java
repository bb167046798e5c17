/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.execution;

import com.codahale.metrics.Counter;
import io.charon.core.law.Decision;
import io.charon.nodemanager.report.audit.AuditLog;
import io.charon.nodemanager.sensor.NodeSnapshot;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One tick of all regulators: each decides by the same snapshot, then the decisions are carried
 * out. Needs no YARN: whoever has snapshots can drive it. For one thread, except {@link #states()}.
 */
public final class Regulation implements AutoCloseable {
  private final List<NodeRegulator> regulators;
  private final ActionExecutor executor;

  /**
   * A regulation that has not started.
   *
   * @param regulators each of another resource; those that are off only clean up
   * @param audit takes what is done, if anybody wants it
   * @param failures counts what failed
   * @param clock dates the audit
   */
  public Regulation(
      List<NodeRegulator> regulators, Optional<AuditLog> audit, Counter failures, Clock clock) {
    this.regulators = List.copyOf(regulators);
    this.executor = new ActionExecutor(audit, failures, clock);
  }

  /** Takes away what an earlier process left behind, and finds out what can be done here. */
  public void start() {
    executor.undo(regulators);
    regulators.forEach(NodeRegulator::start);
  }

  /** Decides and acts. Never throws because of the machine. */
  public void tick(NodeSnapshot snapshot) {
    Map<NodeRegulator, Decision> decisions = new LinkedHashMap<>();
    for (NodeRegulator regulator : regulators) {
      Optional<Decision> decision = regulator.decide(snapshot);
      if (decision.isPresent()) {
        decisions.put(regulator, decision.get());
      } else {
        regulator.show(snapshot, Optional.empty(), "");
      }
    }
    executor.execute(snapshot, decisions);
  }

  /** What every regulator shows. */
  public List<NodeRegulator.State> states() {
    return regulators.stream().map(NodeRegulator::state).toList();
  }

  /** Takes away whatever was set; the machine is as if no regulator had ever run. */
  @Override
  public void close() {
    executor.undo(regulators);
  }
}
