/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The observations of a run in addition to its result: enough to simulate the run. Times are
 * seconds since the start of the window and negative before it.
 *
 * @param production the production job
 * @param jobs the best-effort jobs of the stream
 * @param calibration jobs that ran one by one after production had ended; empty without calibration
 * @param containers all containers
 * @param machine use of the processors; empty if it was not sampled
 * @param regulators traces of the nodes' regulators; empty if none ran
 */
record Observations(
    JobTimes production,
    List<JobTimes> jobs,
    List<JobTimes> calibration,
    List<ContainerTrace> containers,
    Optional<MachineLoad> machine,
    List<RegulatorTrace> regulators) {
  /**
   * Submission and completion of a job, as the ResourceManager reports them.
   *
   * @param kind kind of the job
   * @param application the job's application
   * @param submittedSeconds when the job was submitted
   * @param finishedSeconds when the job succeeded; empty if it failed or has not finished
   */
  record JobTimes(
      String kind, String application, double submittedSeconds, OptionalDouble finishedSeconds) {
    static JobTimes of(
        String kind, String application, DemoApplications.State state, long windowStartMillis) {
      return new JobTimes(
          kind,
          application,
          (state.startMillis() - windowStartMillis) / 1000.0,
          state.finished() && state.succeeded()
              ? OptionalDouble.of((state.finishMillis() - windowStartMillis) / 1000.0)
              : OptionalDouble.empty());
    }
  }

  Observations {
    jobs = List.copyOf(jobs);
    calibration = List.copyOf(calibration);
    containers = List.copyOf(containers);
    regulators = List.copyOf(regulators);
  }
}
