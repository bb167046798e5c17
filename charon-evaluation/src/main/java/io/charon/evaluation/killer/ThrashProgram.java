/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.nio.file.Path;
import java.util.List;

/** What {@code bench thrash-model} runs: work on pages of one kind, with or without computation. */
enum ThrashProgram {
  /** Touches anonymous pages and computes after each: the simulator's model of a task. */
  ANONYMOUS("anonymous", false, Steps.OF_A_TASK),
  /** Reads pages of a file and computes after each: the simulator's model of a task. */
  FILE("file", true, Steps.OF_A_TASK),
  /** Nothing but touches of anonymous pages: the worst that can happen. */
  ANONYMOUS_ONLY("anonymous, no computation", false, 0),
  /** Nothing but reads of file pages: the worst that can happen. */
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

  /** Whether its pages are those of a file. */
  boolean usesFile() {
    return file;
  }

  /** Steps of xorshift after each touch. */
  int steps() {
    return steps;
  }

  /** Its refaults, of all that a cgroup had. */
  long refaults(MemoryStatistics statistics) {
    return file ? statistics.fileRefaults() : statistics.anonymousRefaults();
  }

  /** The arguments of {@code workload}. */
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
     * About 4 microseconds on one core of today. So the anonymous program slows as much as GNU sort
     * does (docs/benchmarks.md).
     */
    static final int OF_A_TASK = 2000;
  }
}
