/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.stop;

import io.charon.nodemanager.report.audit.AuditLog;
import io.charon.nodemanager.report.audit.AuditRecord;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leaves one line of each order, and of what it did to each container, in log and audit. */
final class StopAudit {
  private static final Logger LOG = LoggerFactory.getLogger(StopAudit.class);

  private final Optional<AuditLog> audit;
  private final NodeMetrics metrics;
  private final Clock clock;

  StopAudit(Optional<AuditLog> audit, NodeMetrics metrics, Clock clock) {
    this.audit = audit;
    this.metrics = metrics;
    this.clock = clock;
  }

  /**
   * Something was done.
   *
   * @param action leave, freeze, kill, thaw or resume
   * @param target a container's id, or best-effort
   * @param result what came of it
   * @param reason by whose order
   */
  void write(String action, String target, String result, String reason) {
    if (result.startsWith("failed")) {
      metrics.toleratedFailures().inc();
    }
    LOG.warn("stop: {} {}: {} ({})", action, target, result, reason);
    audit.ifPresent(log -> write(log, action, target, result, reason));
  }

  private void write(AuditLog log, String action, String target, String result, String reason) {
    try {
      log.write(
          new AuditRecord(
              clock.instant().toString(),
              "stop",
              "enforce",
              "the node",
              Map.of(),
              0,
              action,
              target,
              result,
              reason));
    } catch (IOException e) {
      metrics.toleratedFailures().inc();
      LOG.debug("the audit cannot be written", e);
    }
  }
}
