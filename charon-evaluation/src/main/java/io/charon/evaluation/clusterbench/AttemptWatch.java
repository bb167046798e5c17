/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import io.charon.evaluation.demo.BestEffortStream;
import io.charon.evaluation.demo.DemoApplications;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TaskCompletionEvent.Status;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Polls the ApplicationMasters of running best-effort jobs for the outcomes of task attempts, on a
 * thread of its own.
 */
final class AttemptWatch implements AutoCloseable {
  private static final long POLL_MILLIS = 1_000;
  private static final int EVENTS_AT_ONCE = 1_000;

  private final BestEffortStream stream;
  private final DemoApplications applications;
  private final Map<JobID, Integer> seen = new HashMap<>();
  private final Map<String, Status> unsuccessful = new LinkedHashMap<>();
  private volatile boolean closed;
  private final Thread thread = new Thread(this::watch, "attempt-watch");

  private AttemptWatch(BestEffortStream stream, DemoApplications applications) {
    this.stream = stream;
    this.applications = applications;
    thread.setDaemon(true);
  }

  /** Starts to poll. */
  static AttemptWatch start(BestEffortStream stream, DemoApplications applications) {
    AttemptWatch watch = new AttemptWatch(stream, applications);
    watch.thread.start();
    return watch;
  }

  /** Returns the attempts that did not succeed, by name, with their status. */
  synchronized Map<String, Status> unsuccessful() {
    return Map.copyOf(unsuccessful);
  }

  private void watch() {
    try {
      while (!closed) {
        Thread.sleep(POLL_MILLIS);
        Map<ApplicationId, DemoApplications.State> states = applications.states();
        for (Job job : stream.jobs()) {
          DemoApplications.State state = states.get(DemoApplications.idOf(job.getJobID()));
          if (state != null && !state.ended()) {
            ask(job);
          }
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      System.err.println("charon bench cluster: attempts cannot be followed: " + e);
    }
  }

  private void ask(Job job) throws InterruptedException {
    try {
      int from = seen.getOrDefault(job.getJobID(), 0);
      TaskCompletionEvent[] events = job.getTaskCompletionEvents(from, EVENTS_AT_ONCE);
      seen.put(job.getJobID(), from + events.length);
      for (TaskCompletionEvent event : events) {
        if (event.getStatus() != Status.SUCCEEDED) {
          ended(event.getTaskAttemptId().toString(), event.getStatus());
        }
      }
    } catch (IOException notThisTime) {
      // The ApplicationMaster is starting or ending; the attempts seen before stay.
    }
  }

  private synchronized void ended(String attempt, Status status) {
    unsuccessful.put(attempt, status);
  }

  @Override
  public void close() {
    // No interrupt: Hadoop's client logs an interrupt with a stack trace of the call in progress.
    closed = true;
    try {
      thread.join(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
