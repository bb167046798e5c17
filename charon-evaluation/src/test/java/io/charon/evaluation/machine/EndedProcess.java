/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import java.io.IOException;

/** A process that no longer exists. */
public final class EndedProcess {
  private EndedProcess() {}

  /** Returns the id of a process that has just ended. */
  public static long id() throws IOException, InterruptedException {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    return process.pid();
  }
}
