/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.evaluation.machine.Cleanup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The benchmark's end of {@link OpenLoopClient}, which runs as long as its scenario. */
final class LoadClient {
  private final Process process;
  private final BufferedReader answers;
  private final Writer questions;

  private LoadClient(Process process) {
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.US_ASCII);
    this.questions = process.outputWriter(StandardCharsets.US_ASCII);
  }

  /**
   * Starts the client.
   *
   * @param prefix words before its command, such as those that enter a namespace
   * @param base address of the pages, without their number
   * @param pages number of pages
   * @param cleanup receives the action that ends the client
   */
  static LoadClient start(List<String> prefix, String base, int pages, Cleanup cleanup)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    // The measuring process must not wait for other work of the machine.
    command.addAll(List.of("nice", "-n", "-20"));
    command.addAll(OpenLoopClient.command(base, pages));
    Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    cleanup.add(process::destroyForcibly);
    return new LoadClient(process);
  }

  /** A load in progress. */
  final class Run implements Scenario.Foreground {
    private final long startNanos;

    private Run(long startNanos) {
      this.startNanos = startNanos;
    }

    @Override
    public long startNanos() {
      return startNanos;
    }

    @Override
    public Requests finish() throws IOException {
      List<Requests.Answer> answered = new ArrayList<>();
      List<Requests.Answer> failed = new ArrayList<>();
      for (String line = read(); !line.equals("end"); line = read()) {
        int space = line.indexOf(' ');
        long due = startNanos + micros(line.substring(0, space));
        long latency = micros(line.substring(space + 1));
        (latency < 0 ? failed : answered).add(new Requests.Answer(due, Math.abs(latency)));
      }
      return new Requests(answered, failed);
    }
  }

  /**
   * Starts a load.
   *
   * @param dueNanos times at which requests are due, nanoseconds after the start
   */
  Run start(List<Long> dueNanos) throws IOException {
    questions.write(
        dueNanos.stream()
            .map(due -> Long.toString(TimeUnit.NANOSECONDS.toMicros(due)))
            .collect(Collectors.joining(" ", "", "\n")));
    questions.flush();
    return new Run(Long.parseLong(read()));
  }

  /**
   * Sends requests that are not measured, so that this client's code is compiled.
   *
   * @throws IOException if a request fails
   */
  void warmUp(int count, Duration period) throws IOException {
    Requests answers =
        start(LongStream.range(0, count).mapToObj(n -> n * period.toNanos()).toList()).finish();
    if (!answers.failed().isEmpty()) {
      throw new IOException(answers.failed().size() + " of " + count + " requests failed");
    }
  }

  private String read() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("the load client has ended: " + process);
    }
    return line;
  }

  private static long micros(String text) {
    return TimeUnit.MICROSECONDS.toNanos(Long.parseLong(text));
  }
}
