/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
 * It is told once a second what others may keep, and reports what it did. It ends when this process
 * does, because its standard input ends then; the limit stays, and the next one begins there.
 */
public final class MemoryLimitProcess implements AutoCloseable {
  private static final int LONGEST_LINE = 4000;

  /** Hears what the process says, on a thread of its own. Must not wait long. */
  public interface Listener {
    /** It runs, and says what it can do here. */
    void ready(Ready ready);

    /** What it did. */
    void reported(MemoryLimitReport report);

    /** A line for people: what it did not understand, or what is not as it should be. */
    void said(String line);

    /** It has ended, or closed its output; the limit stays where it is. */
    void ended();
  }

  /**
   * What it can do on this machine.
   *
   * @param cgroupVersion 1 or 2
   * @param adoptedBytes the limit that it found; empty: none
   * @param realTime whether it looks in time on a busy machine
   * @param setsWithoutBlocking whether the kernel sets a limit below use at once (v2, Linux 6.16)
   * @param countsSwap whether best-effort's swap can be limited, too
   * @param mayFreeze whether it was given a cgroup to freeze
   */
  public record Ready(
      int cgroupVersion,
      OptionalLong adoptedBytes,
      boolean realTime,
      boolean setsWithoutBlocking,
      boolean countsSwap,
      boolean mayFreeze) {}

  private final Process process;
  private final Listener listener;
  private final ObjectMapper mapper = new ObjectMapper();

  /**
   * Takes a process that was just started with {@link #words}, errors and output in one.
   *
   * @param process ends with this
   * @param listener hears what it says
   */
  public MemoryLimitProcess(Process process, Listener listener) {
    this.process = process;
    this.listener = listener;
    Thread reader = new Thread(this::read, "charon-memory-limit");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * The words that start it.
   *
   * @param bestEffort the cgroup whose limit is moved
   * @param boundary the node's cgroup; empty: the whole machine
   * @param freezer best-effort's cgroup in the hierarchy that freezes; empty: nobody is frozen
   */
  public static List<String> words(
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
   * The words that remove the limit, once no best-effort container is left; not while a process
   * moves it.
   *
   * @param before the limit of before Charon; empty: none
   */
  public static List<String> wordsToRemove(
      Path bestEffort, Optional<Path> boundary, Optional<Path> freezer, OptionalLong before) {
    List<String> words = new ArrayList<>(words(bestEffort, boundary, freezer));
    words.add("remove");
    before.ifPresent(bytes -> words.addAll(List.of("--limit-bytes", Long.toString(bytes))));
    return words;
  }

  /**
   * Tells it what others may keep. Does not wait, unless the process has read nothing for minutes:
   * whoever has heard no report for three seconds closes this.
   *
   * @throws IOException if it has ended
   */
  public void tell(MemoryLimitBasis basis) throws IOException {
    process.getOutputStream().write((basis.line() + "\n").getBytes(StandardCharsets.US_ASCII));
    process.getOutputStream().flush();
  }

  /** Whether it runs. */
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
      listener.said("its output cannot be read: " + e.getMessage());
    }
    listener.ended();
  }

  private void hear(String line) {
    JsonNode said;
    try {
      said = mapper.readTree(line);
    } catch (IOException e) {
      listener.said(line); // what goes wrong is told in words
      return;
    }
    switch (said.path("event").asText()) {
      case "limit" -> listener.reported(MemoryLimitReport.of(said));
      case "ready" -> listener.ready(ready(said));
      default -> listener.said(said.path("error").asText(line));
    }
  }

  private static Ready ready(JsonNode line) {
    return new Ready(
        line.path("cgroupVersion").asInt(),
        MemoryLimitReport.limit(line),
        line.path("realTime").asBoolean(),
        line.path("setsWithoutBlocking").asBoolean(),
        line.path("countsSwap").asBoolean(),
        line.path("mayFreeze").asBoolean());
  }

  /** Ends it: by its standard input, so that it thaws whom it froze. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (process.waitFor(1, TimeUnit.SECONDS)) {
        return;
      }
    } catch (IOException e) {
      // It has ended already, or is ended now.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }
}
