/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import io.charon.evaluation.cluster.ClusterClient;
import io.charon.evaluation.cluster.Installation;
import io.charon.evaluation.cluster.LinuxExecutorCheck;
import io.charon.evaluation.cluster.RemoteCluster;
import io.charon.evaluation.demo.DemoApplications;
import io.charon.evaluation.demo.PreparedInput;
import io.charon.evaluation.demo.SingleJobs;
import io.charon.evaluation.demo.SubmittedJob;
import io.charon.evaluation.demo.WorkloadKind;
import io.charon.evaluation.demo.WorkloadPlan;
import io.charon.evaluation.demo.WorkloadTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** A predefined job on a running cluster. */
public final class JobRun {
  /** Approximate duration of the production job. */
  private static final Duration PRODUCTION = Duration.ofMinutes(4);

  private static final long POLL_MILLIS = 500;

  private final ClusterState state;
  private final ClusterClient cluster;
  private final SubmittedJob job;

  private JobRun(ClusterState state, ClusterClient cluster, SubmittedJob job) {
    this.state = state;
    this.cluster = cluster;
    this.job = job;
  }

  /**
   * How a job ended.
   *
   * @param seconds from the submission of the job to its end
   * @param problems errors; empty if the job succeeded and its results are right
   */
  public record Result(double seconds, List<String> problems) {
    /** Copies the list. */
    public Result {
      problems = List.copyOf(problems);
    }
  }

  /**
   * Returns how a cluster's memory is divided.
   *
   * @throws IllegalArgumentException if the nodes are too small; the message names the smallest
   *     size
   */
  public static WorkloadPlan plan(int nodeMemoryMb) {
    return WorkloadPlan.of(
        WorkloadKind.MEMORY, nodeMemoryMb, WorkloadTimes.usual(Duration.ZERO, PRODUCTION), false);
  }

  /**
   * Submits a job.
   *
   * @param configuration configuration directory of the clients
   * @throws IOException if the ResourceManager rejects the job, or this process cannot act for the
   *     user of the job
   */
  public static JobRun submit(
      ClusterState state,
      Path configuration,
      Installation installation,
      PredefinedJob what,
      int tasks)
      throws IOException, InterruptedException {
    Path directory = directory(state, what);
    RemoteCluster own = RemoteCluster.of(configuration, state.workDirectory()).in(directory);
    ClusterClient cluster = state.linux().map(users -> what.as(users, own)).orElse(own);
    SingleJobs jobs =
        new SingleJobs(
            cluster, installation, plan(state.nodeMemoryMb()), PreparedInput.in(state.input()));
    return new JobRun(state, cluster, what.submit(jobs, tasks));
  }

  /**
   * Creates the directory of a job's files: one of its own, because the same job may be submitted
   * again while it runs. Users of containers may enter it.
   */
  private static Path directory(ClusterState state, PredefinedJob what) throws IOException {
    if (state.linux().isPresent()) {
      new LinuxExecutorCheck(Path.of("/proc")).requireProcess();
    }
    Files.createDirectories(state.jobs());
    Path directory = Files.createTempDirectory(state.jobs(), what.label() + "-");
    if (state.linux().isPresent()) {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    }
    return directory;
  }

  /** Returns the id of the application. */
  public String id() {
    return job.id().toString();
  }

  /** Returns the page of the application. */
  public String page() {
    return state.address().orElseThrow().page(id());
  }

  /**
   * Waits until the job has ended, and checks its results.
   *
   * @throws IOException if the cluster ends first, or results cannot be read
   */
  public Result await(ProgressLine waiting) throws IOException, InterruptedException {
    try (DemoApplications applications = new DemoApplications(cluster.clientConfiguration())) {
      DemoApplications.State end = applications.state(job.id());
      while (!end.finished()) {
        DemoApplications.Description now = applications.description(job.id());
        waiting.update(
            String.format(
                Locale.ROOT,
                "%s %s, %.0f %%, %d containers",
                now.name(),
                now.state().toLowerCase(Locale.ROOT),
                100 * now.progress(),
                Math.max(0, end.containers())));
        Thread.sleep(POLL_MILLIS);
        end = applications.state(job.id());
      }
      waiting.end();
      return new Result(
          end.seconds(),
          end.succeeded()
              ? job.check().problems()
              : List.of("the job failed; its page says why: " + page()));
    }
  }
}
