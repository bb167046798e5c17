/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import io.charon.evaluation.cluster.ClusterClient;
import io.charon.evaluation.cluster.LinuxExecutor;
import io.charon.evaluation.demo.SingleJobs;
import io.charon.evaluation.demo.SubmittedJob;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A predefined job that the user can submit. */
public enum PredefinedJob {
  /** Reserves two thirds of the memory and uses half of its reservation. */
  PRODUCTION(2, 2) {
    @Override
    SubmittedJob submit(SingleJobs jobs, int tasks) throws IOException, InterruptedException {
      return jobs.production(tasks);
    }
  },
  /** Best-effort tasks that sort, search and join text. */
  SORT(24, 200) {
    @Override
    SubmittedJob submit(SingleJobs jobs, int tasks) throws IOException {
      return jobs.pacedTasks(tasks);
    }
  },
  /** A best-effort word count. */
  MAPREDUCE(4, 64) {
    @Override
    SubmittedJob submit(SingleJobs jobs, int tasks) throws IOException, InterruptedException {
      return jobs.mapReduce(tasks);
    }
  };

  private final int usualTasks;
  private final int mostTasks;

  PredefinedJob(int usualTasks, int mostTasks) {
    this.usualTasks = usualTasks;
    this.mostTasks = mostTasks;
  }

  abstract SubmittedJob submit(SingleJobs jobs, int tasks) throws IOException, InterruptedException;

  /** Returns a cluster as seen by the user of this job. */
  ClusterClient as(LinuxExecutor users, ClusterClient cluster) {
    return this == PRODUCTION ? users.production(cluster) : users.bestEffort(cluster);
  }

  /** Returns the default number of tasks. */
  public int defaultTasks() {
    return usualTasks;
  }

  /** Returns the maximum number of tasks. */
  public int maxTasks() {
    return mostTasks;
  }

  /** Returns the name of the job in options and output. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the job with a name.
   *
   * @throws IllegalArgumentException if there is none; the message lists the jobs
   */
  public static PredefinedJob of(String label) {
    for (PredefinedJob job : values()) {
      if (job.label().equals(label)) {
        return job;
      }
    }
    throw new IllegalArgumentException(
        "unknown job '"
            + label
            + "': choose from "
            + Arrays.stream(values()).map(PredefinedJob::label).collect(Collectors.joining(", ")));
  }
}
