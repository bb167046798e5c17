/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import io.charon.evaluation.demo.SingleJobs;
import io.charon.evaluation.demo.SubmittedJob;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A job that is ready to be submitted. */
public enum ReadyJob {
  /** Reserves two thirds of the memory and uses half of that. */
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

  ReadyJob(int usualTasks, int mostTasks) {
    this.usualTasks = usualTasks;
    this.mostTasks = mostTasks;
  }

  abstract SubmittedJob submit(SingleJobs jobs, int tasks) throws IOException, InterruptedException;

  /** How many tasks it has unless the user says otherwise. */
  public int usualTasks() {
    return usualTasks;
  }

  /** How many it may have. */
  public int mostTasks() {
    return mostTasks;
  }

  /** The name that users type and read. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The job with a name.
   *
   * @throws IllegalArgumentException if there is none; the message lists them
   */
  public static ReadyJob of(String label) {
    for (ReadyJob job : values()) {
      if (job.label().equals(label)) {
        return job;
      }
    }
    throw new IllegalArgumentException(
        "unknown job '"
            + label
            + "': choose from "
            + Arrays.stream(values()).map(ReadyJob::label).collect(Collectors.joining(", ")));
  }
}
