/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

/**
 * What became of a best-effort job within the window.
 *
 * @param kind what it does
 * @param state how it ended
 * @param seconds from its submission to its end; of one that did not complete, the whole window, so
 *     that percentiles are over all that were submitted
 * @param work what it did within the window, with a result that is right
 */
record JobOutcome(String kind, State state, double seconds, Work work) {
  /** How a job stands at the end of the window. */
  enum State {
    COMPLETED,
    FAILED,
    UNFINISHED
  }

  /**
   * Work whose result was checked.
   *
   * @param tasks that ended
   * @param bytes that they read
   */
  record Work(int tasks, long bytes) {
    static final Work NONE = new Work(0, 0);

    Work plus(Work other) {
      return new Work(tasks + other.tasks, bytes + other.bytes);
    }
  }
}
