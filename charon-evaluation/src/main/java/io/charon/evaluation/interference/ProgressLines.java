/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.interference.SpeedSeries.Mark;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the progress that a program prints, on a thread of its own, until the program ends. */
final class ProgressLines {
  private static final Pattern PROGRESS =
      Pattern.compile("touches (\\d+) nanos (\\d+) waited (\\d+) value -?\\d+ latencies(.*)");

  private record Said(Mark mark, LatencyCounts latencies) {}

  private final List<Said> said = new ArrayList<>();
  private long lines;

  /** Starts to read. */
  static ProgressLines of(Process process) {
    ProgressLines all = new ProgressLines();
    BufferedReader output = process.inputReader(StandardCharsets.US_ASCII);
    Thread reader = new Thread(() -> all.read(output), "charon-bench-progress");
    reader.setDaemon(true);
    reader.start();
    return all;
  }

  private void read(BufferedReader output) {
    try {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        hear(line);
      }
    } catch (IOException closedWithTheProcess) {
      // The lines that were read so far remain.
    }
  }

  /** Adds a line; a line that does not report progress is only counted. */
  synchronized void hear(String line) {
    lines++;
    Matcher words = PROGRESS.matcher(line);
    if (words.matches()) {
      Mark mark =
          new Mark(
              Long.parseLong(words.group(2)),
              Long.parseLong(words.group(3)),
              Long.parseLong(words.group(1)));
      said.add(new Said(mark, LatencyCounts.parse(words.group(4))));
    }
  }

  /** Returns the number of lines. */
  synchronized long lines() {
    return lines;
  }

  /** Returns all progress so far, in order. */
  synchronized List<Mark> marks() {
    return said.stream().map(Said::mark).toList();
  }

  /** Returns the number of operations done so far. */
  synchronized long operations() {
    return said.isEmpty() ? 0 : said.get(said.size() - 1).mark().operations();
  }

  /** Returns whether progress was reported for that instant or a later one. */
  synchronized boolean isHeardAfter(long nanos) {
    return !said.isEmpty() && said.get(said.size() - 1).mark().nanos() >= nanos;
  }

  /** Returns the latencies of batches that ended in a span of time, accurate to one interval. */
  synchronized LatencyCounts latencies(long fromNanos, long toNanos) {
    LatencyCounts sum = LatencyCounts.none();
    for (Said one : said) {
      if (one.mark().nanos() > fromNanos && one.mark().nanos() <= toNanos) {
        sum = sum.and(one.latencies());
      }
    }
    return sum;
  }
}
