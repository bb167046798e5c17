/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Shows the progress of a run: one line that is redrawn on a terminal, otherwise a line every few
 * seconds.
 */
final class Progress {
  private static final double GIBIBYTE = 1L << 30;
  private static final int SECONDS_BETWEEN_LINES = 5;

  private final PrintWriter out;
  private final boolean terminal;
  private final LiveLine live;
  private OptionalLong expectedEndNanos = OptionalLong.empty();
  private double lastLine = Double.NEGATIVE_INFINITY;

  Progress(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
    this.live = new LiveLine(out, terminal);
  }

  /** Prints a line that stays. */
  void say(String line) {
    live.clear();
    out.println(line);
    out.flush();
  }

  /**
   * Adds the remaining time to each progress line from now on.
   *
   * @param all expected duration from now
   */
  void expect(Duration all) {
    expectedEndNanos = OptionalLong.of(System.nanoTime() + all.toNanos());
  }

  /**
   * Shows the state of a part.
   *
   * @param title name of the run
   * @param seconds time since the part began
   * @param allSeconds duration of the part, seconds
   * @param done what has been done so far
   */
  void update(
      String title,
      double seconds,
      double allSeconds,
      String done,
      List<NodeSampler.NodeMemory> nodes,
      Optional<ContainerCounts> counts) {
    if (!terminal && seconds - lastLine < SECONDS_BETWEEN_LINES) {
      return;
    }
    lastLine = seconds;
    String line =
        String.format(
            Locale.ROOT,
            "%s%s %3.0f/%.0f s  %s%s%s",
            left(),
            title,
            Math.min(seconds, allSeconds),
            allSeconds,
            done,
            nodes.isEmpty() ? "" : "  used/reserved/node GiB: " + texts(nodes),
            counts.map(c -> "  launched " + c.launched() + " killed " + c.killed()).orElse(""));
    live.show(line);
  }

  /** Starts a new part, whose first state is always shown. */
  void begin() {
    lastLine = Double.NEGATIVE_INFINITY;
  }

  private String left() {
    if (expectedEndNanos.isEmpty()) {
      return "";
    }
    long seconds =
        Math.max(
            0, TimeUnit.NANOSECONDS.toSeconds(expectedEndNanos.getAsLong() - System.nanoTime()));
    return String.format(Locale.ROOT, "%d:%02d left  ", seconds / 60, seconds % 60);
  }

  private static String texts(List<NodeSampler.NodeMemory> nodes) {
    return nodes.stream().map(Progress::text).collect(Collectors.joining("  "));
  }

  private static String text(NodeSampler.NodeMemory node) {
    return String.format(
        Locale.ROOT,
        "%s %.1f/%.1f/%.1f",
        node.name(),
        node.usedBytes() / GIBIBYTE,
        node.reservedBytes() / GIBIBYTE,
        node.limitBytes() / GIBIBYTE);
  }
}
