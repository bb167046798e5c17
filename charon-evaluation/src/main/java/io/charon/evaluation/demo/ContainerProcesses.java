/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.machine.ProcessStat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the processes of a cluster's containers and the processor time of the machine from {@code
 * /proc}.
 */
final class ContainerProcesses {
  /** Ticks per second of processor times in {@code /proc}: always 100 (man 5 proc). */
  private static final double TICKS_PER_SECOND = 100;

  // Indexes of /proc/PID/stat fields after the command, which may hold blanks (man 5 proc: 14, 15,
  // 22).
  private static final int USER_TICKS = 11;
  private static final int SYSTEM_TICKS = 12;

  // Indexes of the columns of the first line of /proc/stat, after the label.
  private static final int IDLE = 3;
  private static final int WAITING_FOR_DISK = 4;
  private static final int STOLEN = 7;

  private static final Pattern ATTEMPT =
      Pattern.compile("attempt_[0-9]+_[0-9]+_([mr])_[0-9]+_[0-9]+");

  private final Path proc;
  private final Pattern container;

  /**
   * Creates a reader.
   *
   * @param proc the {@code /proc} file system
   * @param work directory of the cluster; every container's command line names a directory below it
   */
  ContainerProcesses(Path proc, Path work) {
    this.proc = proc;
    this.container =
        Pattern.compile(
            Pattern.quote(work.toString())
                + "/([a-z0-9]+)/containers/[^ \0]*?(application_[0-9_]+)/(container_[e0-9_]+)");
  }

  /**
   * The resource use of all processes of one container.
   *
   * @param address container, application and node
   * @param role kind of program that the container runs
   * @param attempt the task attempt that the container runs, or the path of its result if it is a
   *     paced task; empty if it runs none
   * @param startSeconds start of the oldest process, seconds since boot
   * @param bytes anonymous and shared memory
   * @param processorSeconds processor time of the living processes
   */
  record Use(
      ContainerAddress address,
      ContainerTrace.Role role,
      String attempt,
      double startSeconds,
      long bytes,
      double processorSeconds) {
    private Use plus(Use other) {
      return new Use(
          address,
          role == ContainerTrace.Role.UNKNOWN ? other.role : role,
          attempt.isEmpty() ? other.attempt : attempt,
          Math.min(startSeconds, other.startSeconds),
          bytes + other.bytes,
          processorSeconds + other.processorSeconds);
    }
  }

  /** Processor time of the machine since boot, summed over its processors. */
  record MachineTime(double busySeconds, double stolenSeconds) {}

  /** Returns all containers that run now, by container id. */
  Map<String, Use> containers() throws IOException {
    Map<String, Use> uses = new HashMap<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path process : processes) {
        use(process).ifPresent(use -> uses.merge(use.address().id(), use, Use::plus));
      }
    }
    return uses;
  }

  /** Returns the processor time of the machine since boot. */
  MachineTime machine() throws IOException {
    String first = Files.readAllLines(proc.resolve("stat")).get(0);
    String[] columns = first.substring("cpu".length()).trim().split(" +", -1);
    double busy = 0;
    // Columns 1 and 2 already include the two guest columns.
    for (int i = 0; i < STOLEN; i++) {
      busy += i == IDLE || i == WAITING_FOR_DISK ? 0 : Double.parseDouble(columns[i]);
    }
    return new MachineTime(
        busy / TICKS_PER_SECOND, Double.parseDouble(columns[STOLEN]) / TICKS_PER_SECOND);
  }

  /** Returns the seconds since boot, by the clock that process start times use. */
  double uptimeSeconds() throws IOException {
    String uptime = Files.readString(proc.resolve("uptime"));
    return Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
  }

  private Optional<Use> use(Path process) {
    try {
      String command = Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
      Matcher found = container.matcher(command);
      if (!found.find()) {
        return Optional.empty();
      }
      String[] fields = ProcessStat.fields(process);
      double ticks =
          Double.parseDouble(fields[USER_TICKS]) + Double.parseDouble(fields[SYSTEM_TICKS]);
      return Optional.of(
          new Use(
              new ContainerAddress(found.group(3), found.group(2), found.group(1)),
              role(command),
              attempt(command),
              Double.parseDouble(fields[ProcessStat.START_TICKS]) / TICKS_PER_SECOND,
              memoryBytes(process),
              ticks / TICKS_PER_SECOND));
    } catch (IOException ended) {
      return Optional.empty();
    }
  }

  private static ContainerTrace.Role role(String command) {
    if (command.contains("MRAppMaster") || command.contains(TaskMaster.class.getName())) {
      return ContainerTrace.Role.MASTER;
    }
    // Only the program itself: its shell has the same words at another position.
    if (command.substring(0, Math.max(0, command.indexOf('\0'))).endsWith("/" + PacedTask.NAME)) {
      return ContainerTrace.Role.TASK;
    }
    Matcher attempt = ATTEMPT.matcher(command);
    if (!attempt.find()) {
      return ContainerTrace.Role.UNKNOWN;
    }
    return attempt.group(1).equals("m") ? ContainerTrace.Role.MAP : ContainerTrace.Role.REDUCE;
  }

  private static String attempt(String command) {
    Matcher attempt = ATTEMPT.matcher(command);
    if (attempt.find()) {
      return attempt.group();
    }
    Matcher result = TaskApplication.RESULT.matcher(command);
    return result.find() ? result.group() : "";
  }

  private static long memoryBytes(Path process) throws IOException {
    return Files.readAllLines(process.resolve("status")).stream()
        .filter(line -> line.startsWith("RssAnon:") || line.startsWith("RssShmem:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
        .sum();
  }
}
