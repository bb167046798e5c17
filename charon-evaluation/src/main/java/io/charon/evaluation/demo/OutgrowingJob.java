/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.machine.BackgroundThread;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Submits the job that outgrows its estimate, and polls MapReduce's counters of its attempts. */
final class OutgrowingJob implements AutoCloseable {
  private static final long POLL_MILLIS = 500;

  /**
   * The outcome of the job.
   *
   * @param killedAttempts number of attempts that MapReduce counts as killed
   * @param failedAttempts number of attempts that MapReduce counts as failed
   * @param completed whether the job succeeded
   */
  record Outcome(long killedAttempts, long failedAttempts, boolean completed) {}

  private final DemoWorkload workload;
  private final DemoApplications applications;
  private BackgroundThread thread;
  private Outcome outcome = new Outcome(0, 0, false);
  private boolean ended;

  private OutgrowingJob(DemoWorkload workload, DemoApplications applications) {
    this.workload = workload;
    this.applications = applications;
  }

  /** Starts the thread that submits the job after a delay. */
  static OutgrowingJob start(DemoWorkload workload, DemoApplications applications, Duration at) {
    OutgrowingJob job = new OutgrowingJob(workload, applications);
    job.thread = BackgroundThread.start("outgrowing-job", () -> job.run(at));
    return job;
  }

  /** Returns the outcome as far as it is known. */
  synchronized Outcome outcome() {
    return outcome;
  }

  /** Returns whether the job has ended, or could not be followed to its end. */
  synchronized boolean ended() {
    return ended;
  }

  private void run(Duration at) {
    try {
      TimeUnit.NANOSECONDS.sleep(at.toNanos());
      Job job = workload.outgrowing();
      job.submit();
      ApplicationId id = DemoApplications.idOf(job.getJobID());
      while (!applications.state(id).ended()) {
        count(job);
        Thread.sleep(POLL_MILLIS);
      }
      finish(applications.state(id).succeeded());
    } catch (InterruptedException windowIsOver) {
      finish(false);
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      System.err.println("charon demo: the outgrowing job cannot be followed: " + e);
      finish(false);
    }
  }

  /** Reads the counters, which only the job's running ApplicationMaster provides. */
  private void count(Job job) {
    try {
      Counters counters = job.getCounters();
      if (counters != null) {
        counted(
            counters.findCounter(JobCounter.NUM_KILLED_MAPS).getValue(),
            counters.findCounter(JobCounter.NUM_FAILED_MAPS).getValue());
      }
    } catch (IOException notThisTime) {
      // The ApplicationMaster is starting or ending; the earlier counts stay.
    }
  }

  private synchronized void counted(long killed, long failed) {
    outcome =
        new Outcome(
            Math.max(killed, outcome.killedAttempts()),
            Math.max(failed, outcome.failedAttempts()),
            false);
  }

  private synchronized void finish(boolean succeeded) {
    outcome = new Outcome(outcome.killedAttempts(), outcome.failedAttempts(), succeeded);
    ended = true;
  }

  @Override
  public void close() {
    thread.close();
  }
}
