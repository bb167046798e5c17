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
 * What was seen of a run besides its result: enough to simulate it. Times are seconds since the
 * start of the window; before it they are negative.
 *
 * @param production the production job
 * @param jobs the best-effort jobs of the stream
 * @param calibration jobs that ran one by one when production was over; empty without calibration
 * @param containers all containers
 * @param machine who used the processors; empty if the machine does not say
 * @param regulators what the nodes' regulators did; empty where none ran
 */
record Observations(
    JobTimes production,
    List<JobTimes> jobs,
    List<JobTimes> calibration,
    List<ContainerTrace> containers,
    Optional<MachineLoad> machine,
    List<RegulatorTrace> regulators) {
  /**
   * When a job came and went, by the ResourceManager.
   *
   * @param kind what it does
   * @param application its application
   * @param submittedSeconds when it was submitted
   * @param finishedSeconds when its ApplicationMaster said that it was over; empty if it was not
   */
  record JobTimes(
      String kind, String application, double submittedSeconds, OptionalDouble finishedSeconds) {
    static JobTimes of(
        String kind, String application, Applications.State state, long windowStartMillis) {
      return new JobTimes(
          kind,
          application,
          (state.startMillis() - windowStartMillis) / 1000.0,
          state.finished()
              ? OptionalDouble.of((state.finishMillis() - windowStartMillis) / 1000.0)
              : OptionalDouble.empty());
    }
  }

  /**
   * Processor time within the window.
   *
   * @param processors of the machine
   * @param seconds length of the time that was looked at
   * @param busySeconds processor time that anything used, summed over the processors
   * @param stolenSeconds processor time that the hypervisor gave to others
   * @param containersSeconds the part of {@code busySeconds} that containers used
   */
  record MachineLoad(
      int processors,
      double seconds,
      double busySeconds,
      double stolenSeconds,
      double containersSeconds) {}

  Observations {
    jobs = List.copyOf(jobs);
    calibration = List.copyOf(calibration);
    containers = List.copyOf(containers);
    regulators = List.copyOf(regulators);
  }
}
