/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.io.IOException;
import java.nio.file.Path;

/** A short-lived process on which a permission is tried, so that no other process is affected. */
interface ProbeProcess extends AutoCloseable {
  /** Starts probe processes. */
  @FunctionalInterface
  interface Starter {
    /**
     * Starts a probe process.
     *
     * @return the process, to be closed by the caller
     * @throws IOException if it cannot be started
     */
    ProbeProcess start() throws IOException;
  }

  /**
   * Sets its {@code oom_score_adj}.
   *
   * @param score -1000 to 1000
   * @throws IOException if the kernel refuses
   */
  void writeOomScoreAdj(int score) throws IOException;

  /**
   * Moves the process into a cgroup.
   *
   * @param cgroup the cgroup's directory
   * @return the contents of its {@code /proc/PID/cgroup} afterwards
   * @throws IOException if the kernel refuses
   */
  String enter(Path cgroup) throws IOException;

  /** Ends the process and waits, for a bounded time, until it has exited. */
  @Override
  void close();
}
