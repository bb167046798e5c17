/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import java.util.Locale;
import java.util.Optional;

/**
 * The verdict on whether a service suffers from best-effort.
 *
 * @param kind the verdict
 * @param reason the reason in words
 * @param intervals number of intervals that were judged
 * @param effect the estimated effect; empty if it could not be estimated
 */
public record Verdict(Kind kind, String reason, int intervals, Optional<Effect> effect) {
  /** The possible verdicts. */
  public enum Kind {
    /** There is a significant effect, and it may be large enough to matter. */
    SUFFERS,
    /** There is no effect that is large enough to matter. */
    FINE,
    /** The recording does not allow a verdict. */
    UNKNOWN;

    /** Returns the verdict as it is shown to users. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The relative increase of the value from low to high use of best-effort, all else being equal;
   * 0.05 is 5 %.
   *
   * @param estimate the most likely effect
   * @param low lower bound of the effect, one-sided, at the test's probability of a false alarm
   * @param high upper bound of the effect, likewise
   * @param chance probability of an estimate at least this high if there is no effect
   * @param little 10th percentile of best-effort's use
   * @param much 90th percentile of best-effort's use
   */
  public record Effect(
      double estimate, double low, double high, double chance, double little, double much) {
    /**
     * Returns whether there is an effect, however small, at the test's probability of a false
     * alarm.
     */
    public boolean significant() {
      return low > 0;
    }
  }

  /** Returns the same verdict with something added to its reason. */
  Verdict adding(String more) {
    return new Verdict(kind, reason + more, intervals, effect);
  }

  static Verdict unknown(String reason, int intervals) {
    return new Verdict(Kind.UNKNOWN, reason, intervals, Optional.empty());
  }
}
