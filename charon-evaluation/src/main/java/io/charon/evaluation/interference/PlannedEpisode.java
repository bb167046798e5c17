/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import java.util.Optional;

/**
 * An episode to measure.
 *
 * @param bestEffort kind of best-effort; empty if production is alone
 * @param cold whether production starts in the episode
 * @param number number of the repetition, 0 and up
 */
record PlannedEpisode(
    Production production,
    Optional<BestEffort> bestEffort,
    boolean cold,
    InterferenceMode mode,
    int number) {

  /** Returns its unique name. */
  String key() {
    return production.label()
        + bestEffort.map(kind -> ":" + kind.label()).orElse("")
        + (cold ? ":cold " : " ")
        + mode.label()
        + " "
        + number;
  }

  /** Returns whether production has a processor of its own. */
  boolean hasOwnProcessors() {
    return bestEffort.map(BestEffort::hasOwnProcessors).orElse(true);
  }
}
