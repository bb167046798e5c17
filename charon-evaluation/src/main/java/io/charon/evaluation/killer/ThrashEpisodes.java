/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

/**
 * Counts of the spells of thrash of guilty containers. A spell ends with the death of its container
 * or with any other kill, because the killer starts its judgement afresh after a kill.
 *
 * @param endedInTime spells ended by the container's death within the tolerance plus two seconds
 * @param missed spells that outlasted the tolerance by two seconds without any kill
 * @param endedLate missed spells that a kill ended later
 * @param survivors containers that had a missed spell and were never killed
 */
record ThrashEpisodes(int endedInTime, int missed, int endedLate, int survivors) {
  static final ThrashEpisodes NONE = new ThrashEpisodes(0, 0, 0, 0);

  ThrashEpisodes plus(ThrashEpisodes other) {
    return new ThrashEpisodes(
        endedInTime + other.endedInTime,
        missed + other.missed,
        endedLate + other.endedLate,
        survivors + other.survivors);
  }

  int episodes() {
    return endedInTime + missed;
  }

  /** Returns the share of episodes that ended in time; 1 if there are none. */
  double recall() {
    return episodes() == 0 ? 1 : (double) endedInTime / episodes();
  }
}
