/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

/**
 * The outcome of a best-effort job within the window.
 *
 * @param state state at the end of the window
 * @param seconds from the job's submission to its end; for a job that did not complete, the whole
 *     window, so that percentiles cover all submitted jobs
 * @param work the work done within the window whose result is right
 */
record JobOutcome(State state, double seconds, Work work) {
  /** The state of a job at the end of the window. */
  enum State {
    COMPLETED,
    FAILED,
    UNFINISHED
  }

  /**
   * Work whose result was verified.
   *
   * @param tasks number of completed tasks
   * @param bytes bytes that these tasks read
   */
  record Work(int tasks, long bytes) {
    static final Work NONE = new Work(0, 0);

    Work plus(Work other) {
      return new Work(tasks + other.tasks, bytes + other.bytes);
    }
  }
}
