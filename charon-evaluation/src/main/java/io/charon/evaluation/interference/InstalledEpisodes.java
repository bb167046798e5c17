/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** Leaves out the episodes whose programs are not installed on this machine. */
final class InstalledEpisodes {
  /** Checks that a program is installed. */
  @FunctionalInterface
  interface Check {
    /**
     * Does nothing if it is installed.
     *
     * @throws IOException if it is not; the message says how to install it
     */
    void require() throws IOException;
  }

  private InstalledEpisodes() {}

  /**
   * Returns the episodes that can be measured.
   *
   * @param planned episodes to measure
   * @param postgres checks that PostgreSQL is installed
   * @param say gets a line with the reason and the cure if episodes are left out
   */
  static List<PlannedEpisode> of(
      List<PlannedEpisode> planned, Check postgres, Consumer<String> say) {
    List<PlannedEpisode> programs =
        planned.stream().filter(one -> one.production().isProgram()).toList();
    if (programs.size() == planned.size()) {
      return planned;
    }
    try {
      postgres.require();
      return planned;
    } catch (IOException e) {
      say.accept(
          "SKIPPED %d episodes with production %s: %s"
              .formatted(
                  planned.size() - programs.size(), Production.POSTGRESQL.label(), e.getMessage()));
      return programs;
    }
  }
}
