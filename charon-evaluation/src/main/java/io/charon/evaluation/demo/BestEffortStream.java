/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.machine.BackgroundThread;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Submits best-effort jobs at their scheduled times, on a thread of its own. */
public final class BestEffortStream implements AutoCloseable {
  /** Creates jobs. */
  @FunctionalInterface
  public interface JobSource {
    /** Returns the job of an order, ready to be submitted. */
    Job job(BestEffortOrder order) throws IOException;
  }

  private final JobSource source;
  private final List<BestEffortOrder> orders;
  private final Map<BestEffortOrder, ApplicationId> submitted = new LinkedHashMap<>();
  private final List<Job> begun = new ArrayList<>();
  private final List<Job> jobs = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private BackgroundThread thread;

  /**
   * Creates a stream; {@link #start} begins to submit.
   *
   * @param source creates the job of an order, ready to be submitted
   * @param orders the jobs, in the order of their submission times
   */
  public BestEffortStream(JobSource source, List<BestEffortOrder> orders) {
    this.source = source;
    this.orders = List.copyOf(orders);
  }

  /**
   * Starts to submit jobs; {@code startNanos} is the start of the window by {@link
   * System#nanoTime}.
   */
  public void start(long startNanos) {
    thread = BackgroundThread.start("best-effort-stream", () -> submitAll(startNanos));
  }

  /** Returns the jobs that the ResourceManager has accepted, in the order of submission. */
  public synchronized Map<BestEffortOrder, ApplicationId> submitted() {
    return new LinkedHashMap<>(submitted);
  }

  /**
   * Returns the jobs of {@link #submitted()}, through which their ApplicationMasters can be
   * queried.
   */
  public synchronized List<Job> jobs() {
    return List.copyOf(jobs);
  }

  /**
   * Returns the applications that the ResourceManager may have accepted: those of {@link
   * #submitted()}, and one whose submission was interrupted or failed.
   */
  synchronized List<ApplicationId> begun() {
    return begun.stream().flatMap(job -> DemoApplications.begunBy(job).stream()).toList();
  }

  /** Returns why jobs could not be submitted; empty if all could. */
  public synchronized List<String> failures() {
    return List.copyOf(failures);
  }

  /** Waits until all jobs are submitted, at most 10 s. */
  void awaitSubmissions() throws InterruptedException {
    thread.await(Duration.ofSeconds(10));
  }

  private void submitAll(long startNanos) {
    for (BestEffortOrder order : orders) {
      try {
        Job job = source.job(order);
        long wait = startNanos + order.at().toNanos() - System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(Math.max(0, wait));
        begin(job);
        job.submit();
        accepted(order, job);
      } catch (InterruptedException windowIsOver) {
        return;
      } catch (IOException | ClassNotFoundException | RuntimeException e) {
        failed(order, e);
      }
    }
  }

  private synchronized void begin(Job job) {
    begun.add(job);
  }

  private synchronized void accepted(BestEffortOrder order, Job job) {
    submitted.put(order, DemoApplications.idOf(job.getJobID()));
    jobs.add(job);
  }

  private synchronized void failed(BestEffortOrder order, Exception cause) {
    failures.add(order.kind().label() + " " + order.index() + ": " + cause);
  }

  @Override
  public void close() {
    if (thread != null) {
      thread.close();
    }
  }
}
