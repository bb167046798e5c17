/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.contention;

import java.util.Locale;
import java.util.Optional;

/**
 * Whether a service suffers from best-effort.
 *
 * @param kind the answer
 * @param reason it in words
 * @param intervals how many there were
 * @param effect what was estimated; empty if nothing could be
 */
public record Verdict(Kind kind, String reason, int intervals, Optional<Effect> effect) {
  /** The answers. */
  public enum Kind {
    /** It does, and possibly by what matters. */
    SUFFERS,
    /** It does not, or by less than matters. */
    FINE,
    /** What was recorded cannot tell. */
    UNKNOWN;

    /** As people read it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * By how much more the value is while best-effort uses much than while it uses little, all else
   * equal; relative: 0.05 is 5 %.
   *
   * @param estimate the most likely
   * @param low it is more than that, but for the chance of a false alarm
   * @param high it is less than that, but for the same chance
   * @param chance that an estimate is as high where there is no effect at all
   * @param little what best-effort uses in the quietest tenth of the intervals, at most
   * @param much what it uses in the busiest tenth, at least
   */
  public record Effect(
      double estimate, double low, double high, double chance, double little, double much) {
    /** Whether there is any effect, however small, but for the chance of a false alarm. */
    public boolean significant() {
      return low > 0;
    }
  }

  static Verdict unknown(String reason, int intervals) {
    return new Verdict(Kind.UNKNOWN, reason, intervals, Optional.empty());
  }
}
