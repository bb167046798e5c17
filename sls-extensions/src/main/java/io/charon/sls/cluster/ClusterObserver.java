/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.cluster;

import io.charon.core.scheduler.ExecutionType;
import io.charon.sls.workload.SimulatedJob;

/** Counts the events of a cluster. Times are virtual nanoseconds. */
public interface ClusterObserver {
  /** Called when a container starts to run. */
  default void started(ExecutionType type) {}

  /** Called when all tasks of a job have completed. */
  void jobCompleted(SimulatedJob job, long submittedNanos, long nowNanos);

  /** Called when a job fails because one of its tasks failed too often. */
  void jobFailed(SimulatedJob job, long nowNanos);

  /** Called when the container of a task was killed for memory. */
  void killed(String cause);

  /**
   * Called when the oracle gave a task's memory to production; the task continues elsewhere without
   * losing work.
   */
  default void moved() {}

  /** Called when a container waited on a node for too long and is requested again. */
  void handedBack();

  /** Called when a node rejected a container because its queue was full. */
  void rejected();

  /** Called with the amount of lost work, in nanoseconds of an undisturbed run. */
  void workLost(double nanos);
}
