/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Production in a JVM of its own: reads objects at random in a heap that is nearly full, and
 * replaces some of them, so that garbage is collected. It prints its progress every 100 ms in the
 * format of the native programs.
 */
final class HeapWorker {
  private static final int OBJECT_BYTES = 4096;

  /** Share of the heap that live objects fill; the rest is left to the collector. */
  private static final double LIVE = 0.6;

  private static final int BATCH = 64;
  private static final int READS_PER_REPLACEMENT = 64;
  private static final long INTERVAL_NANOS = 100_000_000;
  private static final Path STATISTICS = Path.of("/proc/thread-self/schedstat");

  private HeapWorker() {}

  /** Returns the path of the java program of this JVM. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Returns the command line that starts it. */
  static List<String> command(int heapMegabytes) {
    return List.of(
        java(),
        "-Xms" + heapMegabytes + "m",
        "-Xmx" + heapMegabytes + "m",
        "-XX:+AlwaysPreTouch",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        HeapWorker.class.getName(),
        Integer.toString((int) (heapMegabytes * LIVE * (1 << 20) / OBJECT_BYTES)));
  }

  /**
   * Runs until it is killed.
   *
   * @param arguments number of live objects of 4 KiB
   * @throws IOException if the kernel does not report the time that was waited for a processor
   */
  public static void main(String[] arguments) throws IOException {
    byte[][] live = new byte[Integer.parseInt(arguments[0])][];
    Arrays.setAll(live, index -> new byte[OBJECT_BYTES]);
    SplittableRandom random = new SplittableRandom(7654321);
    Map<Integer, Long> latencies = new TreeMap<>();
    long begun = System.nanoTime();
    long due = begun + INTERVAL_NANOS;
    long value = 0;
    for (long reads = 1; ; reads++) {
      int place = random.nextInt(live.length);
      if (reads % READS_PER_REPLACEMENT == 0) {
        live[place] = new byte[OBJECT_BYTES];
      }
      value += live[place][random.nextInt(OBJECT_BYTES)];
      if (reads % BATCH != 0) {
        continue;
      }
      long now = System.nanoTime();
      latencies.merge(LatencyCounts.bucketOf(now - begun), 1L, Long::sum);
      begun = now;
      if (now >= due) {
        say(reads, now, value, latencies);
        latencies.clear();
        begun = System.nanoTime();
        due = now + INTERVAL_NANOS;
      }
    }
  }

  private static void say(long reads, long now, long value, Map<Integer, Long> latencies)
      throws IOException {
    long waited = Long.parseLong(Files.readString(STATISTICS).strip().split(" ", -1)[1]);
    StringBuilder line =
        new StringBuilder("touches ")
            .append(reads)
            .append(" nanos ")
            .append(now)
            .append(" waited ")
            .append(waited)
            .append(" value ")
            .append(value)
            .append(" latencies");
    latencies.forEach((bucket, count) -> line.append(' ').append(bucket).append(':').append(count));
    System.out.println(line);
    System.out.flush();
  }
}
