/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.util.Locale;

/**
 * One kill of a round.
 *
 * @param victim name of the container
 * @param decisionNanos time of the decision, CLOCK_MONOTONIC
 * @param victimBytes memory and swap of the victim at the decision
 * @param trigger name of the container that thrashed
 * @param series kind of the refaults that grew: anonymous or file
 */
record RoundKill(
    String victim, long decisionNanos, long victimBytes, String trigger, String series) {
  /** Returns the text of this kill for the progress line of the round. */
  String line() {
    return String.format(
        Locale.ROOT,
        "killed %s at %d MB because %s had %s thrash",
        victim,
        victimBytes >> 20,
        trigger,
        series);
  }
}
