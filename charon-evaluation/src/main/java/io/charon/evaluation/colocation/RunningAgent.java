/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import java.io.IOException;

/** An agent that starts the background of a run and limits it until it is closed. */
interface RunningAgent extends AutoCloseable {
  /**
   * Counts since the start.
   *
   * @param cpuNanos CPU time of the ticks
   * @param violations violations that regulators found, at most one per regulator and tick
   * @param ticks number of ticks
   */
  record Count(long cpuNanos, int violations, int ticks) {
    static final Count NONE = new Count(0, 0, 0);
  }

  /**
   * Returns the counts so far.
   *
   * @throws IOException if a tick failed
   */
  Count count() throws IOException;

  /** Stops the ticks and removes every limit. */
  @Override
  void close() throws IOException;
}
