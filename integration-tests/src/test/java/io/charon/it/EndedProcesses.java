/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Ends processes: terminates all of them first, and kills those that do not exit within 10 s each.
 */
final class EndedProcesses {
  private static final int TIMEOUT_SECONDS = 10;

  private EndedProcesses() {}

  static void end(List<Process> processes) {
    processes.forEach(Process::destroy);
    for (Process process : processes) {
      try {
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
