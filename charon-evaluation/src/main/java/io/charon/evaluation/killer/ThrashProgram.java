/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.nio.file.Path;
import java.util.List;

/**
 * Programs of {@code bench thrash-model}: work on one kind of pages, with or without computation.
 */
enum ThrashProgram {
  /** Touches anonymous pages and computes after each touch: the simulator's model of a task. */
  ANONYMOUS("anonymous", false, Steps.OF_A_TASK),
  /** Reads pages of a file and computes after each read: the simulator's model of a task. */
  FILE("file", true, Steps.OF_A_TASK),
  /** Only touches anonymous pages: the worst case. */
  ANONYMOUS_ONLY("anonymous, no computation", false, 0),
  /** Only reads file pages: the worst case. */
  FILE_ONLY("file, no computation", true, 0);

  private final String label;
  private final boolean file;
  private final int steps;

  ThrashProgram(String label, boolean file, int steps) {
    this.label = label;
    this.file = file;
    this.steps = steps;
  }

  String label() {
    return label;
  }

  /** Returns the number of xorshift steps after each touch. */
  int steps() {
    return steps;
  }

  /** Returns the refaults of its kind of pages from the statistics of its cgroup. */
  long refaults(MemoryStatistics statistics) {
    return file ? statistics.fileRefaults() : statistics.anonymousRefaults();
  }

  /** Returns the arguments of {@code workload}. */
  List<String> arguments(Path data, int megabytes, long intervalMillis) {
    String size = Integer.toString(megabytes);
    String work = Integer.toString(steps);
    String interval = Long.toString(intervalMillis);
    return file
        ? List.of("work-file", data.toString(), size, work, interval)
        : List.of("work-anonymous", size, work, interval);
  }

  private static final class Steps {
    /**
     * Steps that take about 4 microseconds on a current core. With them, the anonymous program
     * slows as much as GNU sort does (docs/benchmarks.md).
     */
    static final int OF_A_TASK = 2000;
  }
}
