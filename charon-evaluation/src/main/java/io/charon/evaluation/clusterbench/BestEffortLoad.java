/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.demo.ContainerTrace;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** The best-effort jobs of one run, which are submitted at their times on a thread of their own. */
interface BestEffortLoad extends AutoCloseable {
  /** Returns the number of jobs that are submitted within the horizon. */
  int jobs();

  /**
   * Starts to submit; {@code startNanos} is the start of the horizon by {@link System#nanoTime}.
   */
  void start(long startNanos);

  /** Returns the jobs that the ResourceManager has accepted, in the order of submission. */
  List<ApplicationId> submitted();

  /**
   * Evaluates the jobs at the end of the horizon. Waits until the finish times of those that have
   * ended are known; what is lost meanwhile does not count.
   *
   * @param endMillis end of the horizon, by the ResourceManager's clock
   * @param containers all containers, as of the end of the horizon
   * @throws IOException if results cannot be read
   */
  BestEffortOutcome outcome(long endMillis, List<ContainerTrace> containers)
      throws IOException, InterruptedException;

  /**
   * Checks the results, which takes processor time, and returns what is wrong in them and why jobs
   * could not be submitted; empty if all is well.
   *
   * @throws IOException if results cannot be read
   */
  List<String> problems() throws IOException;

  /** Stops to submit. */
  @Override
  void close();
}
