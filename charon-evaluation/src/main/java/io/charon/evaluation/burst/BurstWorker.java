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
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that, for each order, works through a {@link BurstSchedule}, measured by its own CPU
 * time.
 */
final class BurstWorker {
  /** Line that is printed when the worker has started and when it has completed an order. */
  static final String READY = "ready";

  private static final long WARM_UP_NANOS = 50_000_000;

  private BurstWorker() {}

  /**
   * An order to the worker, one line of its standard input.
   *
   * @param seed seed of the bursts
   * @param meanGapNanos mean time between two arrivals
   * @param meanWorkNanos mean CPU time of a burst
   * @param startNanos time of the start by {@link System#nanoTime}, which is one clock for all
   *     processes of a machine
   * @param fromNanos time from which bursts count, from the start
   * @param untilNanos time from which no further burst arrives, from the start
   */
  record Order(
      long seed,
      long meanGapNanos,
      long meanWorkNanos,
      long startNanos,
      long fromNanos,
      long untilNanos) {
    String line() {
      return String.format(
          Locale.ROOT,
          "%d %d %d %d %d %d",
          seed,
          meanGapNanos,
          meanWorkNanos,
          startNanos,
          fromNanos,
          untilNanos);
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
   * Reports that it is ready, then works through each order and prints the delay of each counted
   * burst in nanoseconds.
   *
   * @throws IOException if standard input cannot be read
   */
  public static void main(String[] unused) throws IOException {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    work(threads, WARM_UP_NANOS);
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    say(READY + "\n");
    for (String line = orders.readLine(); line != null; line = orders.readLine()) {
      say(execute(Order.parse(line), threads) + READY + "\n");
    }
  }

  private static void say(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.out.write(bytes, 0, bytes.length);
    System.out.flush();
  }

  private static String execute(Order order, ThreadMXBean threads) {
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
