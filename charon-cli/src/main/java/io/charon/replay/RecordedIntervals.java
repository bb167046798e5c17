/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.replay;

import io.charon.nodemanager.report.recording.Recorded;
import io.charon.nodemanager.report.recording.RecordingReader;
import io.charon.sls.contention.Interval;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The intervals of a node's recording that show production next to best-effort. */
public final class RecordedIntervals {
  private static final double MILLIS_PER_SECOND = 1e3;

  /** The measurements of production that may suffer. */
  public enum Value {
    /** Cycles per instruction, counted by the processor. */
    CPI,
    /** Seconds per second in which production waited for a CPU (PSI). */
    PRESSURE;

    /** The name in commands. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    private Double of(Recorded.SideBySide line) {
      return this == CPI ? line.cyclesPerInstruction() : line.pressure();
    }
  }

  private final List<Recorded.SideBySide> lines = new ArrayList<>();

  /**
   * Reads one file and adds its intervals to those of earlier files.
   *
   * @throws IOException if the file cannot be read or a line is invalid; the message names file and
   *     line
   */
  public void read(Path file) throws IOException {
    long unused =
        new RecordingReader(file)
            .read(
                line -> {
                  if (line instanceof Recorded.SideBySide interval) {
                    lines.add(interval);
                  }
                });
  }

  /** Whether any interval has this measurement. */
  public boolean has(Value value) {
    return lines.stream().anyMatch(line -> value.of(line) != null);
  }

  /** The intervals that have this measurement, ordered by time. */
  public List<Interval> of(Value value) {
    List<Interval> intervals = new ArrayList<>();
    lines.stream()
        .filter(line -> value.of(line) != null)
        .sorted(Comparator.comparingLong(Recorded.SideBySide::wallMillis))
        .forEach(
            line ->
                intervals.add(
                    new Interval(
                        line.wallMillis() / MILLIS_PER_SECOND,
                        value.of(line),
                        line.productionCores(),
                        line.bestEffortCores())));
    return intervals;
  }
}
