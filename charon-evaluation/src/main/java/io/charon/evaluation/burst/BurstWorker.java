/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.burst;

import io.charon.evaluation.burst.BurstSchedule.Burst;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;

/** Works off a {@link BurstSchedule} at each order, a process of its own, by its own CPU time. */
final class BurstWorker {
  /** What it prints when it has started, and when it has done what it was told. */
  static final String READY = "ready";

  private static final long WARM_UP_NANOS = 50_000_000;

  private BurstWorker() {}

  /**
   * What it is told, on a line of its input.
   *
   * @param seed of the bursts
   * @param meanGapNanos mean of what is between two beginnings
   * @param meanWorkNanos mean CPU time of a burst
   * @param startNanos when to begin, by {@link System#nanoTime}, which is one clock for all
   *     processes of a machine
   * @param fromNanos bursts before that do not count, from the start
   * @param untilNanos from when on none begins any more, from the start
   */
  record Order(
      long seed,
      long meanGapNanos,
      long meanWorkNanos,
      long startNanos,
      long fromNanos,
      long untilNanos) {
    String line() {
      return "%d %d %d %d %d %d"
          .formatted(seed, meanGapNanos, meanWorkNanos, startNanos, fromNanos, untilNanos);
    }

    static Order parse(String line) {
      String[] words = line.split(" ", -1);
      return new Order(
          Long.parseLong(words[0]),
          Long.parseLong(words[1]),
          Long.parseLong(words[2]),
          Long.parseLong(words[3]),
          Long.parseLong(words[4]),
          Long.parseLong(words[5]));
    }
  }

  /**
   * Says that it is ready, and at each order works, and prints by how many nanoseconds each burst
   * ended late.
   *
   * @throws IOException if nobody listens any more
   */
  public static void main(String[] unused) throws IOException {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    work(threads, WARM_UP_NANOS);
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    say(READY + "\n");
    for (String line = orders.readLine(); line != null; line = orders.readLine()) {
      say(carryOut(Order.parse(line), threads) + READY + "\n");
    }
  }

  private static void say(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.out.write(bytes, 0, bytes.length);
    System.out.flush();
  }

  private static String carryOut(Order order, ThreadMXBean threads) {
    StringBuilder late = new StringBuilder();
    for (Burst burst :
        BurstSchedule.of(
            order.seed(),
            order.meanGapNanos(),
            order.meanWorkNanos(),
            order.fromNanos(),
            order.untilNanos())) {
      awaitNanos(order.startNanos() + burst.arrivalNanos());
      work(threads, burst.workNanos());
      if (burst.arrivalNanos() >= order.fromNanos()) {
        late.append(System.nanoTime() - order.startNanos() - burst.idealNanos()).append('\n');
      }
    }
    return late.toString();
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
