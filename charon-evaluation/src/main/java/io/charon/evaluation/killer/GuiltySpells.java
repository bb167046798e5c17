/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

/**
 * Spells of thrash by guilty containers. A spell is over with the death of its container, or with
 * any other kill, since the killer judges anew from there.
 *
 * @param endedInTime by the container's death within the tolerance and two seconds
 * @param missed outlasted the tolerance by two seconds without any kill
 * @param endedLate those of the missed ones that a kill ended after that
 * @param survivors containers that had a missed spell and were never killed
 */
record GuiltySpells(int endedInTime, int missed, int endedLate, int survivors) {
  static final GuiltySpells NONE = new GuiltySpells(0, 0, 0, 0);

  GuiltySpells plus(GuiltySpells other) {
    return new GuiltySpells(
        endedInTime + other.endedInTime,
        missed + other.missed,
        endedLate + other.endedLate,
        survivors + other.survivors);
  }

  int episodes() {
    return endedInTime + missed;
  }

  /** The share of episodes that ended in time; 1 without any. */
  double recall() {
    return episodes() == 0 ? 1 : (double) endedInTime / episodes();
  }
}
