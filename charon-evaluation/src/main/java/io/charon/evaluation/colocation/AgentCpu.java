/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.evaluation.machine.ProcessStat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The CPU time that this JVM and everything that it has started have used so far.
 *
 * @param nanos CPU time of each thread that still runs, nanoseconds
 * @param jvmSeconds CPU time of the threads of this JVM, with those that have ended
 * @param endedSeconds CPU time of the processes that this JVM has started and that have ended
 */
record AgentCpu(Map<Task, Long> nanos, double jvmSeconds, double endedSeconds) {
  /** Threads that have ended, and programs that the agent runs for a moment, such as tc. */
  static final String ENDED = "ended threads and programs";

  private static final Path PROC = Path.of("/proc");
  private static final double NANOS_PER_SECOND = 1e9;

  /** The thread that measures, and waits meanwhile; it is not part of the agent. */
  private static final String BENCHMARK = "benchmark";

  /** A thread, and the part of the agent that it belongs to. */
  record Task(String part, Path directory, boolean inJvm) {}

  /**
   * Reads the CPU time.
   *
   * @throws IOException if the kernel does not count it in schedstat (CONFIG_SCHED_INFO)
   */
  static AgentCpu read() throws IOException {
    ProcessHandle self = ProcessHandle.current();
    Path jvm = PROC.resolve(Long.toString(self.pid()));
    Map<Task, Long> nanos = new HashMap<>();
    addThreads(jvm, true, "", nanos);
    for (ProcessHandle process : self.descendants().toList()) {
      Path directory = PROC.resolve(Long.toString(process.pid()));
      try {
        String[] command = Files.readString(directory.resolve("cmdline")).split("\0", -1);
        addThreads(directory, false, partOfProgram(Arrays.asList(command)), nanos);
      } catch (IOException ended) {
        // Its time counts with that of its parent.
      }
    }
    ProcessStat stat = ProcessStat.read(jvm);
    return new AgentCpu(Map.copyOf(nanos), stat.ownCpuSeconds(), stat.childrenCpuSeconds());
  }

  private static void addThreads(Path process, boolean inJvm, String program, Map<Task, Long> nanos)
      throws IOException {
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
      for (Path thread : threads) {
        try {
          String part = inJvm ? partOfThread(word(thread.resolve("comm"), "\n")) : program;
          nanos.put(
              new Task(part, thread, inJvm),
              Long.parseLong(word(thread.resolve("schedstat"), " ")));
        } catch (IOException e) {
          if (Files.exists(thread)) {
            throw e; // otherwise it has ended meanwhile
          }
        }
      }
    }
  }

  private static String word(Path file, String end) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1).split(end, -1)[0];
  }

  /**
   * Returns the part of a thread of the JVM by its name, which the kernel cuts to 15 characters.
   */
  static String partOfThread(String name) {
    return switch (name) {
      case "charon-tick" -> "ticks";
      case "charon-memory-l" -> "memory limit";
      case "charon-freeze" -> "freeze";
      case "charon-user-spa" -> "user-space killer";
      case "VM Thread" -> "garbage collector"; // the serial collector runs on this thread
      case "java" -> BENCHMARK;
      default -> {
        if (name.startsWith("charon-")) {
          yield "other threads of the agent";
        }
        if (name.contains("Compiler") || name.startsWith("Sweeper")) {
          yield "JIT compiler";
        }
        yield name.startsWith("GC ") || name.startsWith("G1 ")
            ? "garbage collector"
            : "other threads of the JVM";
      }
    };
  }

  private static String partOfProgram(List<String> command) {
    return command.contains("memory-limit")
        ? "program of the memory limit"
        : command.contains("reap") ? "program of the kernel killer" : "other programs, containers";
  }

  /**
   * Returns the CPU time that the agent has used since an earlier reading, seconds by part. The
   * thread that measures is left out.
   */
  SortedMap<String, Double> since(AgentCpu before) {
    SortedMap<String, Double> seconds = new TreeMap<>();
    double ended = jvmSeconds - before.jvmSeconds + endedSeconds - before.endedSeconds;
    for (Map.Entry<Task, Long> entry : nanos.entrySet()) {
      Task task = entry.getKey();
      double used = (entry.getValue() - before.nanos.getOrDefault(task, 0L)) / NANOS_PER_SECOND;
      ended -= task.inJvm() ? used : 0;
      seconds.merge(task.part(), used, Double::sum);
    }
    seconds.remove(BENCHMARK);
    seconds.put(ENDED, Math.max(0, ended)); // counted in steps of 10 ms
    return seconds;
  }
}
