/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.stop;

import io.charon.core.law.RegulatorMode;
import io.charon.core.mechanism.Basis;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leaves one line of each order, and of what it did to each container, in log and audit. */
final class StopAudit {
  private static final Logger LOG = LoggerFactory.getLogger(StopAudit.class);

  private final Audit audit;
  private final NodeMetrics metrics;

  StopAudit(Audit audit, NodeMetrics metrics) {
    this.audit = audit;
    this.metrics = metrics;
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
    audit.write(
        "stop",
        RegulatorMode.ENFORCE,
        new Basis("the node", Map.of(), 0, action, reason),
        action,
        target,
        result);
  }
}
