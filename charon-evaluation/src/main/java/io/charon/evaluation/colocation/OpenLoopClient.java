/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A program that runs beside the benchmark. It sends requests at given times, whether or not
 * earlier ones were answered, and reports when each was answered. {@link LoadClient} is the other
 * end.
 *
 * <p>Each line that it reads contains times in microseconds after a start that the program chooses.
 * It answers with the start ({@link System#nanoTime}), one line {@code MOMENT LATENCY} in
 * microseconds for each request, and {@code end}. The latency of a failed request is negative: that
 * to its failure, but at least the timeout, however early it failed.
 */
public final class OpenLoopClient {
  /**
   * Maximum number of concurrent requests. Further ones wait; their latency counts from their due
   * time.
   */
  private static final int THREADS = 64;

  private static final Duration BEFORE_THE_FIRST = Duration.ofMillis(100);
  static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();
  private final String base;
  private final int pages;

  private OpenLoopClient(String base, int pages) {
    this.base = base;
    this.pages = pages;
  }

  /**
   * Processes lines until the end of standard input.
   *
   * @param arguments the address of the pages without their number, and the number of pages
   */
  public static void main(String[] arguments) throws Exception {
    OpenLoopClient client = new OpenLoopClient(arguments[0], Integer.parseInt(arguments[1]));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      client.run(line, out);
    }
  }

  private void run(String line, PrintStream out) throws InterruptedException {
    long[] moments =
        Stream.of(line.split(" ", -1))
            .filter(word -> !word.isEmpty())
            .mapToLong(Long::parseLong)
            .toArray();
    long[] latencies = new long[moments.length];
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime() + BEFORE_THE_FIRST.toNanos();
    out.println(start);
    out.flush();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    for (int i = 0; i < THREADS; i++) {
      threads.execute(
          () -> {
            for (int n = next.getAndIncrement(); n < moments.length; n = next.getAndIncrement()) {
              latencies[n] = latencyMicros(n, start + TimeUnit.MICROSECONDS.toNanos(moments[n]));
            }
          });
    }
    threads.shutdown();
    if (!threads.awaitTermination(1, TimeUnit.HOURS)) {
      throw new IllegalStateException("requests continue for an hour");
    }
    for (int n = 0; n < moments.length; n++) {
      out.println(moments[n] + " " + latencies[n]);
    }
    out.println("end");
    out.flush();
  }

  private long latencyMicros(int number, long due) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + number % pages))
            .header("Accept-Encoding", "gzip")
            .timeout(TIMEOUT)
            .build();
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    try {
      HttpResponse<Void> response = client.send(request, HttpResponse.BodyHandlers.discarding());
      return response.statusCode() == 200
          ? TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - due)
          : failedMicros(due);
    } catch (IOException failed) {
      return failedMicros(due);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failedMicros(due);
    }
  }

  private static long failedMicros(long due) {
    return -TimeUnit.NANOSECONDS.toMicros(Math.max(System.nanoTime() - due, TIMEOUT.toNanos()));
  }

  /** Returns a command that runs this program with the current class path. */
  static List<String> command(String base, int pages) {
    return List.of(
        System.getProperty("java.home") + "/bin/java",
        "-Xmx128m",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        OpenLoopClient.class.getName(),
        base,
        Integer.toString(pages));
  }
}
