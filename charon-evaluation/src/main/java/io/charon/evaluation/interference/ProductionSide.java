/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.interference.SpeedSeries.Mark;
import java.io.IOException;
import java.util.List;

/** The production container of an episode, and the source of its speed and latencies. */
interface ProductionSide {
  /**
   * The progress of production in an episode.
   *
   * @param marks operations done at instants before, in and after the episode, in order
   * @param latencies latencies of the operations of the episode
   */
  record Progress(List<Mark> marks, LatencyCounts latencies) {}

  /**
   * Starts production in a container of its own.
   *
   * @throws IOException if it cannot be started; the message says why
   */
  InterferenceContainer start() throws IOException, InterruptedException;

  /**
   * Returns whether production is at work with its memory filled.
   *
   * @throws IOException if it has ended, or its memory cannot be read
   */
  boolean isWarm() throws IOException, InterruptedException;

  /** Returns whether production was killed: by a killer, or by Linux's OOM killer. */
  boolean isKilled();

  /**
   * Waits, for at most a few seconds, until the operations that were in progress at the end of the
   * episode have ended. Best-effort still runs.
   *
   * @param toNanos end of the episode, {@link System#nanoTime}
   */
  void awaitInProgress(long toNanos) throws InterruptedException;

  /**
   * Returns the progress in an episode that has ended, and in which best-effort was ended, too.
   *
   * @param fromNanos beginning of the episode, {@link System#nanoTime}
   * @param toNanos its end
   * @throws IOException if production failed without having been killed; the message says how
   */
  Progress progress(long fromNanos, long toNanos) throws IOException, InterruptedException;

  /** Ends production and removes its container; does nothing if it was not started. */
  void end() throws IOException, InterruptedException;
}
