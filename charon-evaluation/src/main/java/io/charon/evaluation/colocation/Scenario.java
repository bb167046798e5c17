/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One kind of foreground and background that want the same resource of a node. {@link ModeRun} runs
 * its modes.
 */
interface Scenario {
  /** A foreground at work. */
  interface Foreground {
    /** When its load began, on the clock of {@link System#nanoTime}. */
    long startNanos();

    /** Waits until its load has ended. */
    Requests finish() throws IOException, InterruptedException;
  }

  /** As users and the JSON say it. */
  String name();

  /** What runs where, for people. */
  String setting();

  /** How long runs take. */
  ColocationTimes times();

  /** The modes of a whole measurement, in the order of the table. */
  List<ColocationMode> modes();

  /** Whether a mode is about what these two want. */
  boolean knows(ColocationMode mode);

  /**
   * Begins the foreground's load.
   *
   * @param repetition what is measured is the same for equal ones
   * @param settle how long the load goes on before it is measured
   */
  Foreground startForeground(int repetition, Duration settle)
      throws IOException, InterruptedException;

  /** The node with its cgroups. */
  ColocatedNode node();

  /** By what the node sends, if that is limited. */
  default Optional<ShapedLink> link() {
    return Optional.empty();
  }

  /** The background, before it runs. */
  ColocatedTasks tasks();

  /**
   * What the background has done so far, in a unit of its own.
   *
   * @param tasks that {@link #tasks} gave
   */
  default long done(ColocatedTasks tasks) throws IOException {
    return tasks.done();
  }

  /** Begins to measure how much of the resource is in use. */
  Utilization startUtilization() throws IOException, InterruptedException;
}
