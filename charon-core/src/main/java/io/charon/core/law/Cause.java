/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

/** The rule of a law that determined a decision. */
public enum Cause {
  /** The first window is not full yet, or nothing was measured for a whole window. */
  LEARNING("no range is known yet: the first window is not full"),
  /** A window is full: a range is known from now on. */
  LEARNED("a window is full: its mean and standard deviation apply from now on"),
  /** The foreground behaves as before. */
  INSIDE("the foreground is within its range"),
  /** The foreground uses more than was reserved for it. */
  VIOLATION("the foreground uses more than its reserve: the reserve is raised to its use"),
  /** The foreground uses less than its range, but has not done so for long enough yet. */
  BELOW("the foreground is below its range, but not for a whole window yet"),
  /** The behavior of the foreground has changed. */
  PHASE_CHANGE("the foreground has changed its behavior: a new window begins"),
  /** The foreground's signal is worse than usual. */
  WORSE("the foreground's signal is worse than usual: the quota is halved"),
  /** The foreground's signal is better than usual. */
  BETTER("the foreground's signal is better than usual: the quota is kept"),
  /** Best-effort may run on all cores to which no foreground is pinned. */
  UNPINNED("best-effort runs on the cores that no foreground is pinned to"),
  /** The foreground is pinned to all other cores; best-effort keeps its minimum. */
  ALL_PINNED("the foreground is pinned to all other cores: best-effort keeps its minimum"),
  /** Best-effort leaves cores to the foreground that is not pinned. */
  FOLLOWING("best-effort leaves the cores that the foreground is using"),
  /** Best-effort stays below the water line. */
  WATER_LINE("best-effort gets the CPU time that the foreground leaves below the water line"),
  /** Best-effort has less than is available below the water line, and grows towards that. */
  GROWING("more is free below the water line: best-effort grows by 10 % of the node per second"),
  /** There is no range: a packet filter gives the foreground's packets priority. */
  SHARED("best-effort may use the bandwidth that the foreground leaves, decided for each packet"),
  /** Nothing could be measured. */
  NO_SAMPLE("the foreground could not be measured");

  private final String text;

  Cause(String text) {
    this.text = text;
  }

  /** Returns the rule in readable text. */
  public String text() {
    return text;
  }
}
