/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.freeze;

import io.charon.core.freeze.PauseDecision;
import io.charon.core.law.RegulatorMode;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.report.audit.AuditLog;
import io.charon.nodemanager.report.audit.AuditRecord;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what was decided, and leaves one line of each in the log and in the audit. */
final class PauseAudit {
  private static final Logger LOG = LoggerFactory.getLogger(PauseAudit.class);
  private static final String FOREGROUND = "the node";

  private final RegulatorMode mode;
  private final Optional<AuditLog> audit;
  private final NodeMetrics metrics;
  private final Clock clock;

  PauseAudit(RegulatorMode mode, Optional<AuditLog> audit, NodeMetrics metrics, Clock clock) {
    this.mode = mode;
    this.audit = audit;
    this.metrics = metrics;
    this.clock = clock;
  }

  /**
   * Something was decided.
   *
   * @param memory by which
   * @param thresholdBytes below which containers are frozen
   * @param result what came of it; where nothing may be done, that
   */
  void write(PauseDecision decision, NodeMemory memory, long thresholdBytes, String result) {
    boolean failed = result.startsWith("failed");
    if (failed) {
      metrics.toleratedFailures().inc();
    } else {
      metrics.pauses(AuditRecord.lower(decision.kind())).inc();
    }
    String shown = mode == RegulatorMode.ENFORCE ? result : "not applied: observe";
    LOG.info(
        "pause: {} {}: {} ({})",
        AuditRecord.lower(decision.kind()),
        decision.containerId(),
        shown,
        decision.reason());
    audit.ifPresent(log -> write(log, decision, memory, thresholdBytes, shown));
  }

  private void write(
      AuditLog log, PauseDecision decision, NodeMemory memory, long thresholdBytes, String result) {
    try {
      log.write(
          new AuditRecord(
              clock.instant().toString(),
              "pause",
              AuditRecord.lower(mode),
              FOREGROUND,
              Map.of(
                  "available", (double) memory.availableBytes(),
                  "capacity", (double) memory.capacityBytes()),
              thresholdBytes,
              AuditRecord.lower(decision.kind()),
              decision.containerId(),
              result,
              decision.reason()));
    } catch (IOException e) {
      metrics.toleratedFailures().inc();
      LOG.debug("the audit cannot be written", e);
    }
  }
}
