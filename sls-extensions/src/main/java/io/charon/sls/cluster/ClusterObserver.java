/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import io.charon.core.scheduler.ExecutionType;
import io.charon.sls.workload.SimulatedJob;

/** Who counts what happens in a cluster. Times are virtual nanoseconds. */
public interface ClusterObserver {
  /** A container started to run. */
  default void started(ExecutionType type) {}

  /** All tasks of a job are done. */
  void jobCompleted(SimulatedJob job, long submittedNanos, long nowNanos);

  /** A task failed more often than its job survives. */
  void jobFailed(SimulatedJob job, long nowNanos);

  /** A task's container was killed for memory. */
  void killed(String cause);

  /** A bound gave a task's memory to production; the task goes on elsewhere from where it was. */
  default void moved() {}

  /** A container waited on a node for too long, and asks again. */
  void handedBack();

  /** A node rejected a container because too many waited there. */
  void rejected();

  /** Work that was done in vain, nanoseconds of undisturbed run. */
  void workLost(double nanos);
}
