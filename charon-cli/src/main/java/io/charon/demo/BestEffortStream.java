/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Submits the best-effort jobs at their instants, from a thread of its own. */
final class BestEffortStream implements AutoCloseable {
  private final DemoWorkload workload;
  private final List<BestEffortOrder> orders;
  private final Map<BestEffortOrder, ApplicationId> submitted = new LinkedHashMap<>();
  private final List<String> failures = new ArrayList<>();
  private Thread thread;

  BestEffortStream(DemoWorkload workload, List<BestEffortOrder> orders) {
    this.workload = workload;
    this.orders = List.copyOf(orders);
  }

  /** Starts to submit; {@code startNanos} is the start of the window by {@link System#nanoTime}. */
  void start(long startNanos) {
    thread = new Thread(() -> submitAll(startNanos), "best-effort-stream");
    thread.setDaemon(true);
    thread.start();
  }

  /** The jobs that the ResourceManager has accepted, in the order of submission. */
  synchronized Map<BestEffortOrder, ApplicationId> submitted() {
    return new LinkedHashMap<>(submitted);
  }

  /** Why jobs could not be submitted; empty if all could. */
  synchronized List<String> failures() {
    return List.copyOf(failures);
  }

  private void submitAll(long startNanos) {
    for (BestEffortOrder order : orders) {
      try {
        Job job = workload.bestEffort(order);
        long wait = startNanos + order.at().toNanos() - System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(Math.max(0, wait));
        job.submit();
        accepted(order, Applications.idOf(job.getJobID()));
      } catch (InterruptedException windowIsOver) {
        return;
      } catch (IOException | ClassNotFoundException | RuntimeException e) {
        failed(order, e);
      }
    }
  }

  private synchronized void accepted(BestEffortOrder order, ApplicationId id) {
    submitted.put(order, id);
  }

  private synchronized void failed(BestEffortOrder order, Exception cause) {
    failures.add(order.kind().label() + " " + order.index() + ": " + cause);
  }

  @Override
  public void close() {
    if (thread != null) {
      thread.interrupt();
      try {
        thread.join(5_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
