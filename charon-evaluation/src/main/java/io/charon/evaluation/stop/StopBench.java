/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.stop;

import io.charon.core.stop.StopAction;
import io.charon.evaluation.cluster.NodeLimits;
import io.charon.evaluation.killer.BenchProgress;
import io.charon.evaluation.killer.TimeBudget;
import io.charon.evaluation.machine.Cleanup;
import io.charon.evaluation.machine.TemporaryDirectory;
import io.charon.evaluation.stop.StopResult.StopTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Stops and resumes best-effort on a node and in the cluster while tasks are launched without end.
 */
public final class StopBench {
  /** Launches that must be seen before an order, so that it interrupts something. */
  private static final int BURST = 3;

  private static final Duration BURST_LIMIT = Duration.ofMinutes(1);
  private static final long POLL_MILLIS = 20;

  private final PrintWriter out;

  /** Creates a benchmark that writes its progress to {@code out}. */
  public StopBench(PrintWriter out) {
    this.out = out;
  }

  /**
   * Runs all measurements, or as many as the budget allows.
   *
   * @param repetitions number of orders of each scope, at least 1
   * @throws IOException if the cluster does not start, launches nothing or confirms no order
   */
  public StopResult run(int repetitions, TimeBudget budget)
      throws IOException, InterruptedException {
    BenchProgress progress = new BenchProgress(out);
    double loadAverage = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    NodeLimits limits =
        NodeLimits.probe(
            "/charon-bench-" + ProcessHandle.current().pid(), StoppableCluster.NODE_BYTES);
    List<StopTime> times = new ArrayList<>();
    List<StopScope> orders =
        Stream.generate(StopScope::values).limit(repetitions).flatMap(Arrays::stream).toList();
    try (Cleanup cleanup = new Cleanup()) {
      Path state = TemporaryDirectory.create("charon-bench-stop-", cleanup);
      Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
      progress.print("starting a ResourceManager and a NodeManager");
      try (StoppableCluster cluster = StoppableCluster.start(state, limits.cgroupRoot())) {
        for (StopScope scope : orders) {
          if (budget.isExhausted(times.size())) {
            break;
          }
          StopTime time = measure(scope, cluster);
          times.add(time);
          progress.step(
              times.size(),
              orders.size(),
              String.format(
                  Locale.ROOT,
                  "%s: last launch after %.2f s",
                  scope.label(),
                  time.lastLaunchSeconds()));
        }
      }
    }
    return new StopResult(times, loadAverage, progress.seconds());
  }

  private static StopTime measure(StopScope scope, StoppableCluster cluster)
      throws IOException, InterruptedException {
    awaitBurst(cluster);
    ExecutorService operator = Executors.newSingleThreadExecutor();
    try {
      long launched = cluster.launched();
      long asked = System.nanoTime();
      Future<Duration> order = operator.submit(() -> cluster.order(scope, StopAction.LEAVE));
      double last = 0;
      while (System.nanoTime() - asked < scope.watched().toNanos()) {
        long now = cluster.launched();
        if (now > launched) {
          launched = now;
          last = (System.nanoTime() - asked) / (double) TimeUnit.SECONDS.toNanos(1);
        }
        Thread.sleep(POLL_MILLIS);
      }
      double confirmed = order.get().toMillis() / 1000.0;
      Duration unused = cluster.order(scope, StopAction.NONE);
      return new StopTime(scope, confirmed, last);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e);
    } finally {
      operator.shutdownNow();
    }
  }

  private static void awaitBurst(StoppableCluster cluster)
      throws IOException, InterruptedException {
    long before = cluster.launched();
    long end = System.nanoTime() + BURST_LIMIT.toNanos();
    while (cluster.launched() - before < BURST) {
      if (System.nanoTime() > end) {
        throw new IOException(
            "the node launched fewer than "
                + BURST
                + " containers in "
                + BURST_LIMIT.toSeconds()
                + " s");
      }
      Thread.sleep(POLL_MILLIS);
    }
  }
}
