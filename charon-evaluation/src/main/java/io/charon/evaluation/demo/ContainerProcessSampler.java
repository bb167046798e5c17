/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.demo.ContainerTrace.ContainerAddress;
import io.charon.evaluation.machine.ProcessMemory;
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
 * /proc}, at regular intervals. Not thread-safe.
 */
final class ContainerProcessSampler {
  /**
   * Samples after which a process is taken for what it was, unless the name of its program changes.
   * A process becomes a container's by executing other programs within milliseconds of its start.
   * Matching the command lines of all processes at each sample took an eighth of a processor, which
   * slowed production down beside many containers.
   */
  static final int SETTLING_SAMPLES = 8;

  /** Ticks per second of processor times in {@code /proc}: always 100 (man 5 proc). */
  private static final double TICKS_PER_SECOND = 100;

  // Indexes of the columns of the first line of /proc/stat, after the label.
  private static final int IDLE = 3;
  private static final int WAITING_FOR_DISK = 4;
  private static final int STOLEN = 7;

  private static final Pattern ATTEMPT =
      Pattern.compile("attempt_[0-9]+_[0-9]+_([mr])_[0-9]+_[0-9]+");

  private final Path proc;
  private final Pattern container;
  private Map<String, Known> known = Map.of();

  /** What the command line of a container's process tells. */
  private record Program(ContainerAddress address, ContainerTrace.Role role, String attempt) {
    Use use(ProcessStat stat, long bytes) {
      return new Use(address, role, attempt, stat.startSeconds(), bytes, stat.ownCpuSeconds());
    }
  }

  /**
   * A process at the last sample.
   *
   * @param samples number of samples so far
   * @param name name of its program
   * @param program the program; empty if the process belongs to no container
   */
  private record Known(int samples, String name, Optional<Program> program) {
    private static final Known NEVER_SEEN = new Known(0, "", Optional.empty());

    boolean isSettled() {
      return samples >= SETTLING_SAMPLES;
    }
  }

  /**
   * Creates a reader.
   *
   * @param proc the {@code /proc} file system
   * @param work directory of the cluster; every container's command line names a directory below it
   */
  ContainerProcessSampler(Path proc, Path work) {
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
    Map<String, Known> now = new HashMap<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, this::isProcess)) {
      for (Path process : processes) {
        String pid = process.getFileName().toString();
        sample(process, known.getOrDefault(pid, Known.NEVER_SEEN), uses)
            .ifPresent(seen -> now.put(pid, seen));
      }
    }
    known = now;
    return uses;
  }

  private boolean isProcess(Path entry) {
    return Character.isDigit(entry.getFileName().toString().charAt(0));
  }

  /** Adds the use of a process to that of its container; empty if the process has ended. */
  private Optional<Known> sample(Path process, Known before, Map<String, Use> uses) {
    if (before.isSettled() && before.program().isEmpty()) {
      return Optional.of(before);
    }
    try {
      ProcessStat stat = ProcessStat.read(process);
      if (stat.ended()) {
        return Optional.empty();
      }
      Known seen =
          before.isSettled() && before.name().equals(stat.name())
              ? before
              : new Known(before.samples() + 1, stat.name(), program(process));
      if (seen.program().isPresent()) {
        Use use = seen.program().get().use(stat, ProcessMemory.of(process));
        uses.merge(use.address().id(), use, Use::plus);
      }
      return Optional.of(seen);
    } catch (IOException ended) {
      return Optional.empty();
    }
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

  private Optional<Program> program(Path process) throws IOException {
    String command = Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
    Matcher found = container.matcher(command);
    return found.find()
        ? Optional.of(
            new Program(
                new ContainerAddress(found.group(3), found.group(2), found.group(1)),
                role(command),
                attempt(command)))
        : Optional.empty();
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
}
