/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.evaluation.machine.NativeTools;
import io.charon.evaluation.machine.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A container that works on a working set of known size and reports its progress. */
final class WorkingContainer {
  private static final Pattern LINE =
      Pattern.compile("touches (\\d+) nanos (\\d+) waited (\\d+) value \\d+ latencies.*");
  private static final int ENDED_BY_SIGKILL = 128 + 9;

  /**
   * Progress at one moment.
   *
   * @param touches pages touched since the start
   * @param nanos time since a fixed moment, less the time spent waiting for a CPU, nanoseconds
   * @param refaults refaults of the pages that it works on
   */
  private record Mark(long touches, long nanos, long refaults) {}

  private final ThrashProgram program;
  private final MemoryContainer container;
  private final Process process;
  private final BufferedReader output;
  private Optional<Mark> settled = Optional.empty();

  private WorkingContainer(ThrashProgram program, MemoryContainer container, Process process) {
    this.program = program;
    this.container = container;
    this.process = process;
    this.output = process.inputReader(StandardCharsets.US_ASCII);
  }

  /**
   * Starts the work.
   *
   * @param data file that a program of file pages reads
   * @param megabytes size of the working set
   * @param interval time to settle, and then time to measure
   */
  static WorkingContainer start(
      NativeTools tools,
      PressureCell cell,
      ThrashProgram program,
      Path data,
      int megabytes,
      Duration interval)
      throws IOException, InterruptedException {
    MemoryContainer container = cell.container("work");
    List<String> command = new ArrayList<>(List.of(tools.workload().toString()));
    command.addAll(program.arguments(data, megabytes, interval.toMillis()));
    return new WorkingContainer(program, container, container.start(Redirect.PIPE, command));
  }

  /** Waits for one interval to pass. */
  void settle() throws IOException, InterruptedException {
    settled = mark();
  }

  /**
   * Measures the interval after the one to settle.
   *
   * @return empty if Linux's OOM killer ended the program
   */
  Optional<WorkPace> pace() throws IOException, InterruptedException {
    Optional<Mark> end = settled.isPresent() ? mark() : Optional.empty();
    if (end.isEmpty()) {
      return Optional.empty();
    }
    double nanos = end.get().nanos() - settled.get().nanos();
    double touches = end.get().touches() - settled.get().touches();
    long refaults = end.get().refaults() - settled.get().refaults();
    return Optional.of(new WorkPace(nanos / touches, refaults / touches));
  }

  /** Returns the memory that it holds, without swap, in bytes. */
  long residentBytes() throws IOException {
    return container.residentBytes();
  }

  private Optional<Mark> mark() throws IOException, InterruptedException {
    String line = output.readLine();
    if (line == null) {
      int code = Programs.await(process, "workload", Programs.LIMIT);
      if (code == ENDED_BY_SIGKILL) {
        return Optional.empty();
      }
      throw new IOException(
          "workload "
              + program.arguments(Path.of("FILE"), 1, 1).get(0)
              + " ended with exit code "
              + code
              + "; if the programs are old, rebuild them: make -C kernel-ua-killer/src/main/native");
    }
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      throw new IOException("workload printed no measurement: '" + line + "'");
    }
    return Optional.of(
        new Mark(
            Long.parseLong(matcher.group(1)),
            Long.parseLong(matcher.group(2)) - Long.parseLong(matcher.group(3)),
            program.refaults(container.statistics())));
  }

  /** Ends the work and drops its page cache. */
  void end() throws IOException, InterruptedException {
    container.killAll();
    Programs.kill(process, "workload");
    container.reclaim();
    container.remove();
  }
}
