/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Tells the user how a run goes: one line that is redrawn on a terminal, else a line every few
 * seconds.
 */
final class Progress {
  private static final double GIBIBYTE = 1L << 30;
  private static final int SECONDS_BETWEEN_LINES = 5;

  private final PrintWriter out;
  private final boolean terminal;
  private int width;
  private double lastLine = Double.NEGATIVE_INFINITY;

  Progress(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Prints a line that stays. */
  void say(String line) {
    clear();
    out.println(line);
    out.flush();
  }

  /** Shows the state of a run. */
  void update(
      String title,
      double seconds,
      double windowSeconds,
      long completed,
      long submitted,
      List<NodeSampler.NodeMemory> nodes,
      Optional<ContainerCounts> counts) {
    if (!terminal && seconds - lastLine < SECONDS_BETWEEN_LINES) {
      return;
    }
    lastLine = seconds;
    String line =
        String.format(
            Locale.ROOT,
            "%s %3.0f/%.0f s  jobs %d of %d done%s%s",
            title,
            seconds,
            windowSeconds,
            completed,
            submitted,
            nodes.isEmpty() ? "" : "  used/reserved/node GiB: " + texts(nodes),
            counts.map(c -> "  launched " + c.launched() + " killed " + c.killed()).orElse(""));
    if (terminal) {
      out.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
      width = line.length();
    } else {
      out.println(line);
    }
    out.flush();
  }

  /** Begins a new run. */
  void begin() {
    lastLine = Double.NEGATIVE_INFINITY;
  }

  private void clear() {
    if (width > 0) {
      out.print("\r" + " ".repeat(width) + "\r");
      width = 0;
    }
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
