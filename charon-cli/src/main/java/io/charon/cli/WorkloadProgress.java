/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import io.charon.sls.trace.ImportProgress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Prints the progress of making a workload to standard error, every two seconds. */
final class WorkloadProgress implements ImportProgress {
  private static final long BETWEEN_LINES = Duration.ofSeconds(2).toNanos();

  private final PrintWriter err;
  private final long start = System.nanoTime();
  private long last = start;

  WorkloadProgress(PrintWriter err) {
    this.err = err;
  }

  @Override
  public void at(String what, long done) {
    long now = System.nanoTime();
    if (now - last >= BETWEEN_LINES) {
      last = now;
      err.printf(Locale.ROOT, "%4.0f s  %,d %s%n", seconds(), done, what);
      err.flush();
    }
  }

  double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }
}
