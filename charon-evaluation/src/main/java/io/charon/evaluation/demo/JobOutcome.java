/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

/**
 * What became of a best-effort job within the window.
 *
 * @param order the job
 * @param state how it ended
 * @param seconds from its submission to its end; 0 if unfinished
 */
record JobOutcome(BestEffortOrder order, State state, double seconds) {
  /** How a job stands at the end of the window. */
  enum State {
    COMPLETED,
    FAILED,
    UNFINISHED
  }
}
