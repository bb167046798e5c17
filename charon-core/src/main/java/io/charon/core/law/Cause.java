/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

/** Which rule of a law decided. */
public enum Cause {
  /** The first window is not full yet, or nothing was seen for a whole window. */
  LEARNING("no range is known yet, a window is being watched"),
  /** A window is full: from now on there is a range. */
  LEARNED("a window is full, its mean and standard deviation hold from now on"),
  /** The foreground behaves as it did. */
  INSIDE("the foreground is inside of its range"),
  /** The foreground uses more than was reserved for it. */
  VIOLATION("the foreground uses more than its reserve: the reserve moves up to it"),
  /** The foreground uses less than its range; that must last before it counts. */
  BELOW("the foreground is below its range, but not for a whole window yet"),
  /** The foreground has become another one. */
  PHASE_CHANGE("the foreground has changed"),
  /** The foreground's signal is worse than usual. */
  WORSE("the foreground does worse than usual: the quota is halved"),
  /** The foreground's signal is better than usual. */
  BETTER("the foreground does better than usual: the quota waits"),
  /** Best-effort may run wherever no foreground is pinned. */
  UNPINNED("best-effort runs on the cores that no foreground is pinned to"),
  /** Foreground is pinned to so many cores that too few are left. */
  ALL_PINNED("foreground is pinned to all other cores: best-effort keeps its minimum"),
  /** Best-effort leaves cores to foreground that is not pinned. */
  FOLLOWING("best-effort leaves the foreground the cores that it is using"),
  /** Best-effort stays below the water line. */
  WATER_LINE("best-effort gets what the foreground leaves below the water line"),
  /** It has less than there is below the water line, and grows towards that. */
  GROWING("there is more below the water line: best-effort grows by a tenth of the node a second"),
  /** There is no range: best-effort's packets give way by themselves. */
  SHARED("best-effort may use what the foreground leaves, packet by packet"),
  /** Nothing could be measured. */
  NO_SAMPLE("the foreground could not be measured");

  private final String text;

  Cause(String text) {
    this.text = text;
  }

  /** The rule as people read it. */
  public String text() {
    return text;
  }
}
