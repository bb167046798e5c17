/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.core.law.memorylimit.LimitBasis;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * A running {@code ua-killer memory-limit}, which moves the limit around best-effort every 20 ms.
 * It receives once a second what others may keep, and reports what it did. It ends with this
 * process, because its standard input ends then; the limit stays, and the next such process starts
 * from it.
 */
public final class MemoryLimitProcess implements AutoCloseable {
  private static final int LONGEST_LINE = 4000;

  /** Receives the process's output, on a thread of its own. Must not block for long. */
  public interface Listener {
    /** The process runs, and reports its capabilities on this machine. */
    void ready(Ready ready);

    /** The process reports its actions. */
    void reported(MemoryLimitReport report);

    /** The process printed a line of text: an input that it did not understand, or a problem. */
    void printed(String line);

    /** The process has ended, or closed its output; the limit stays where it is. */
    void ended();
  }

  /**
   * The capabilities of the process on this machine.
   *
   * @param cgroupVersion 1 or 2
   * @param adoptedBytes the limit that it found; empty: none
   * @param realTime whether it takes its samples in time on a busy machine
   * @param setsWithoutBlocking whether the kernel sets a limit below use at once (v2, Linux 6.16)
   * @param countsSwap whether best-effort's swap can be limited, too: the kernel counts it
   * @param mayFreeze whether it was given a cgroup to freeze
   * @param growsOnRequest whether it obeys {@link LimitBasis#growsIntoExcess}; a program of an
   *     earlier release refuses it, and lets best-effort grow on version 2 in any case
   * @param limitsSwapAlone whether it obeys {@link MemoryLimitBasis#limitsSwap} on version 2, where
   *     swap has a limit of its own; a program of an earlier release limits swap on version 1 only
   */
  public record Ready(
      int cgroupVersion,
      OptionalLong adoptedBytes,
      boolean realTime,
      boolean setsWithoutBlocking,
      boolean countsSwap,
      boolean mayFreeze,
      boolean growsOnRequest,
      boolean limitsSwapAlone) {}

  private final Process process;
  private final Listener listener;
  private final ObjectMapper mapper = new ObjectMapper();

  /**
   * Wraps a process that was just started with {@link #arguments}, with its errors in its output.
   *
   * @param process ended by {@link #close}
   * @param listener receives its output
   */
  public MemoryLimitProcess(Process process, Listener listener) {
    this.process = process;
    this.listener = listener;
    Thread reader = new Thread(this::read, "charon-memory-limit");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Returns the arguments that start the process.
   *
   * @param bestEffort the cgroup whose limit is moved
   * @param boundary the node's cgroup; empty: the whole machine
   * @param freezer best-effort's cgroup in the freezer's hierarchy; empty: nothing is frozen
   */
  public static List<String> arguments(
      Path bestEffort, Optional<Path> boundary, Optional<Path> freezer) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "memory-limit",
                "--cgroup",
                bestEffort.toString(),
                "--boundary",
                boundary.map(Path::toString).orElse("host")));
    freezer.ifPresent(cgroup -> words.addAll(List.of("--freezer", cgroup.toString())));
    return words;
  }

  /**
   * Returns the arguments that remove the limit, once no best-effort container is left; not to be
   * used while a process moves the limit.
   *
   * @param before the limit before Charon; empty: none
   */
  public static List<String> wordsToRemove(
      Path bestEffort, Optional<Path> boundary, Optional<Path> freezer, OptionalLong before) {
    List<String> words = new ArrayList<>(arguments(bestEffort, boundary, freezer));
    words.add("remove");
    before.ifPresent(bytes -> words.addAll(List.of("--limit-bytes", Long.toString(bytes))));
    return words;
  }

  /**
   * Sends the process what others may keep. Does not block, unless the process has read nothing for
   * minutes: a caller that has received no report for three seconds closes this.
   *
   * @throws IOException if the process has ended
   */
  public void send(MemoryLimitBasis basis) throws IOException {
    process.getOutputStream().write((basis.line() + "\n").getBytes(StandardCharsets.US_ASCII));
    process.getOutputStream().flush();
  }

  /** Returns whether the process runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      StringBuilder line = new StringBuilder();
      for (int letter = output.read(); letter >= 0; letter = output.read()) {
        if (letter != '\n') {
          if (line.length() < LONGEST_LINE) {
            line.append((char) letter);
          }
        } else {
          hear(line.toString());
          line.setLength(0);
        }
      }
    } catch (IOException e) {
      listener.printed("cannot read the output of ua-killer memory-limit: " + e.getMessage());
    }
    listener.ended();
  }

  private void hear(String line) {
    JsonNode said;
    try {
      said = mapper.readTree(line);
    } catch (IOException e) {
      listener.printed(line); // errors are plain text
      return;
    }
    switch (said.path("event").asText()) {
      case "limit" -> listener.reported(MemoryLimitReport.of(said));
      case "ready" -> listener.ready(ready(said));
      default -> listener.printed(said.path("error").asText(line));
    }
  }

  private static Ready ready(JsonNode line) {
    return new Ready(
        line.path("cgroupVersion").asInt(),
        MemoryLimitReport.limit(line),
        line.path("realTime").asBoolean(),
        line.path("setsWithoutBlocking").asBoolean(),
        line.path("countsSwap").asBoolean(),
        line.path("mayFreeze").asBoolean(),
        line.path("growsOnRequest").asBoolean(),
        line.path("limitsSwapAlone").asBoolean());
  }

  /** Ends the process by closing its standard input, so that it thaws what it froze. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (process.waitFor(1, TimeUnit.SECONDS)) {
        return;
      }
    } catch (IOException e) {
      // It has ended already, or is killed now.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }
}
