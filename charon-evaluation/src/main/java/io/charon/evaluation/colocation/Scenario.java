/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.nodemanager.agent.Surroundings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A kind of foreground and background that compete for the same resource of a node. {@link ModeRun}
 * runs its modes.
 */
interface Scenario {
  /** A running foreground. */
  interface Foreground {
    /** Returns when its load began, on the clock of {@link System#nanoTime}. */
    long startNanos();

    /** Waits until its load has ended and returns its requests. */
    Requests finish() throws IOException, InterruptedException;
  }

  /** Returns the name for users and in the JSON. */
  String name();

  /** Describes the programs and their places, for people. */
  String setting();

  /** Returns the durations of runs. */
  ColocationTimes times();

  /** Returns the modes of a whole measurement, in the order of the table. */
  List<ColocationMode> modes();

  /** Returns whether a mode concerns the resource of this scenario. */
  boolean knows(ColocationMode mode);

  /**
   * Starts the foreground's load.
   *
   * @param repetition number of the repetition; equal ones measure the same load
   * @param settle duration of the load before it is measured
   */
  Foreground startForeground(int repetition, Duration settle)
      throws IOException, InterruptedException;

  /** Returns the node with its cgroups. */
  ColocatedNode node();

  /** Returns the link by which the node sends, if that link is limited. */
  default Optional<ShapedLink> link() {
    return Optional.empty();
  }

  /** Returns the machine as the node's agent sees it. */
  default Surroundings surroundings() {
    return Surroundings.ofThisMachine(Path.of("/proc"));
  }

  /** Returns values of keys that a mode needs on this machine; the mode's own precede them. */
  default Map<String, String> machineKeys(ColocationMode mode) {
    return Map.of();
  }

  /** Returns the background before it runs. */
  ColocatedTasks tasks();

  /**
   * Returns the work that the background has done so far, in its own unit.
   *
   * @param tasks the result of {@link #tasks}
   */
  default long done(ColocatedTasks tasks) throws IOException {
    return tasks.done();
  }

  /** Starts to measure the utilization of the resource. */
  Utilization startUtilization() throws IOException, InterruptedException;
}
