/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.core.scheduler.ContainerEnd;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;

/**
 * The ways in which a node's own scheduler, a killer or a memory limit evicts a best-effort
 * container.
 */
enum EvictionCause {
  /** A running container was killed for memory, or to make room for production. */
  KILLED,
  /** A waiting container was refused because the queue was full or was shortened. */
  REFUSED;

  /** Returns how a container was evicted; empty if it ended otherwise or is not best-effort. */
  static Optional<EvictionCause> of(ContainerStatus status) {
    if (status.getExecutionType() != ExecutionType.OPPORTUNISTIC) {
      return Optional.empty();
    }
    return switch (status.getExitStatus()) {
      case ContainerExitStatus.PREEMPTED,
          ContainerExitStatus.KILLED_EXCEEDED_PMEM,
          ContainerExitStatus.KILLED_EXCEEDED_VMEM ->
          Optional.of(KILLED);
      case ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER ->
          Optional.of(ofSchedulerKill(status.getDiagnostics()));
      default -> Optional.empty();
    };
  }

  private static EvictionCause ofSchedulerKill(String diagnostics) {
    return ContainerEnd.ofSchedulerKill(diagnostics) == ContainerEnd.PREEMPTED_BY_YARN
        ? KILLED
        : REFUSED;
  }
}
