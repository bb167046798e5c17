/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Runs one best-effort job of each kind, one after the other, on a cluster that is otherwise idle,
 * to measure how long a job takes without interference.
 */
final class CalibrationJobs {
  private static final Duration JOB_LIMIT = Duration.ofMinutes(2);

  private final DemoWorkload workload;
  private final DemoApplications applications;
  private final ContainerSampler containers;
  private final Progress progress;

  CalibrationJobs(
      DemoWorkload workload,
      DemoApplications applications,
      ContainerSampler containers,
      Progress progress) {
    this.workload = workload;
    this.applications = applications;
    this.containers = containers;
    this.progress = progress;
  }

  /** A job that has run. */
  record Calibrated(BestEffortOrder order, ApplicationId application) {}

  /**
   * Runs the first jobs of the stream, one of each kind.
   *
   * @throws IOException if a job cannot be submitted, fails, or does not end within 2 minutes
   */
  List<Calibrated> run(List<BestEffortOrder> stream) throws IOException, InterruptedException {
    List<Calibrated> jobs = new ArrayList<>();
    for (BestEffortOrder order : stream.subList(0, JobKind.values().length)) {
      progress.say("calibration: " + order.kind().label() + " alone");
      jobs.add(new Calibrated(order, runAlone(order)));
    }
    return jobs;
  }

  private ApplicationId runAlone(BestEffortOrder order) throws IOException, InterruptedException {
    ApplicationId id = DemoApplications.submit(workload.bestEffort(order));
    long end = System.nanoTime() + JOB_LIMIT.toNanos();
    // The ApplicationMaster stays for some seconds after the job has finished.
    while (!applications.state(id).finished() || containers.isRunning(id.toString())) {
      if (System.nanoTime() > end) {
        throw new IOException(
            "calibration: %s did not end within %s".formatted(order.kind().label(), JOB_LIMIT));
      }
      Thread.sleep(200);
    }
    if (!applications.state(id).succeeded()) {
      throw new IOException("calibration: " + order.kind().label() + " failed");
    }
    return id;
  }
}
