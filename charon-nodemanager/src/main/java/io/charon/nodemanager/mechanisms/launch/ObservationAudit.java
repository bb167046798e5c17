/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.launch;

import io.charon.core.law.RegulatorMode;
import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.report.audit.AuditLog;
import io.charon.nodemanager.report.audit.AuditRecord;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leaves a line in the audit of each thing that would have been done in mode enforce. */
public final class ObservationAudit {
  private static final Logger LOG = LoggerFactory.getLogger(ObservationAudit.class);

  private final Optional<AuditLog> audit;
  private final Clock clock;

  /**
   * Writes nothing yet.
   *
   * @param audit where to, if anybody wants it
   * @param clock dates the lines
   */
  public ObservationAudit(Optional<AuditLog> audit, Clock clock) {
    this.audit = audit;
    this.clock = clock;
  }

  /**
   * Something would have been done.
   *
   * @param action launch, hold-back or kill
   * @param containerId to whom
   * @param memory the node's at the last reading; empty before the first
   * @param limitBytes what the action was measured against
   * @param reason the rule, in words
   */
  void write(
      String action,
      String containerId,
      Optional<NodeMemory> memory,
      long limitBytes,
      String reason) {
    audit.ifPresent(
        log -> {
          try {
            log.write(
                new AuditRecord(
                    clock.instant().toString(),
                    "scheduler",
                    AuditRecord.lower(RegulatorMode.OBSERVE),
                    "the node",
                    memory
                        .map(
                            read ->
                                Map.of(
                                    "available", (double) read.availableBytes(),
                                    "capacity", (double) read.capacityBytes()))
                        .orElse(Map.of()),
                    limitBytes,
                    action,
                    containerId,
                    "not applied: observe",
                    reason));
          } catch (IOException e) {
            LOG.debug("the audit cannot be written", e);
          }
        });
  }
}
