/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.run.RunProgress;
import io.charon.web.threads.DaemonThreads;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Prints the progress of the runs every few seconds: virtual time, speed, estimated end. */
final class SlsProgress implements AutoCloseable {
  private static final int SECONDS = 5;

  private final List<RunProgress> runs;
  private final double lastSubmitSeconds;
  private final long startNanos = System.nanoTime();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("progress"));

  SlsProgress(Collection<RunProgress> runs, double lastSubmitSeconds) {
    this.runs = List.copyOf(runs);
    this.lastSubmitSeconds = lastSubmitSeconds;
  }

  /** Starts printing. */
  static SlsProgress start(
      Collection<RunProgress> runs, double lastSubmitSeconds, PrintWriter err) {
    SlsProgress progress = new SlsProgress(runs, lastSubmitSeconds);
    var unused =
        progress.timer.scheduleAtFixedRate(
            () -> {
              err.println(progress.line((System.nanoTime() - progress.startNanos) / 1e9));
              err.flush();
            },
            SECONDS,
            SECONDS,
            TimeUnit.SECONDS);
    return progress;
  }

  /** The progress line after this wall time, in seconds. */
  String line(double wallSeconds) {
    double virtual = 0;
    double share = 0;
    int submitted = 0;
    for (RunProgress run : runs) {
      double seconds = run.virtualNanos() / 1e9;
      virtual += seconds;
      // The part after the last submission is short, unless the cluster is crowded.
      share += Math.min(1, seconds / Math.max(1, lastSubmitSeconds));
      if (run.lastSubmissionNanos() >= 0) {
        submitted++;
      }
    }
    String end =
        share > 0
            ? "about %.0f s left".formatted(wallSeconds * (runs.size() / share - 1))
            : "end unknown";
    return "virtual %.1f h in %d runs (all jobs submitted in %d), %.0f virtual seconds per second, %s"
        .formatted(virtual / 3600, runs.size(), submitted, virtual / wallSeconds, end);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
