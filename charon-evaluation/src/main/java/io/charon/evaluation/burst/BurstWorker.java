/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Works off a {@link BurstSchedule}, a process of its own, by its own CPU time. */
final class BurstWorker {
  /** What it prints when it has started. */
  static final String READY = "ready";

  private static final long WARM_UP_NANOS = 50_000_000;

  private BurstWorker() {}

  /**
   * Says that it is ready, waits for a byte, works, and prints by how many nanoseconds each burst
   * ended late.
   *
   * @param arguments seed, and how many bursts
   * @throws IOException if nobody tells it to begin
   */
  public static void main(String[] arguments) throws IOException {
    List<BurstSchedule.Burst> bursts =
        BurstSchedule.of(Long.parseLong(arguments[0]), Integer.parseInt(arguments[1]));
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    work(threads, WARM_UP_NANOS);
    System.out.println(READY);
    if (System.in.read() < 0) {
      throw new IOException("nobody said when to begin");
    }
    long start = System.nanoTime();
    StringBuilder late = new StringBuilder();
    for (BurstSchedule.Burst burst : bursts) {
      awaitNanos(start + burst.arrivalNanos());
      work(threads, burst.workNanos());
      late.append(System.nanoTime() - start - burst.idealNanos()).append('\n');
    }
    System.out.write(late.toString().getBytes(StandardCharsets.US_ASCII));
    System.out.flush();
  }

  private static void awaitNanos(long instant) {
    for (long left = instant - System.nanoTime(); left > 0; left = instant - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private static void work(ThreadMXBean threads, long nanos) {
    long end = threads.getCurrentThreadCpuTime() + nanos;
    while (threads.getCurrentThreadCpuTime() < end) {
      Thread.onSpinWait();
    }
  }
}
