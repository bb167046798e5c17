/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import io.charon.sls.workload.Side;

/** The importance of a job, in the three groups that the published usage figures distinguish. */
public enum Tier {
  /** Google 2011 priorities 9 to 11; Borg 2019 tier "prod". */
  PRODUCTION,
  /** Google 2011 priorities 2 to 8; Borg 2019 tier "best-effort batch". */
  OTHER,
  /** Google 2011 priorities 0 and 1; Borg 2019 tier "free". */
  FREE;

  /** Returns the side of the jobs of this tier. */
  public Side side() {
    return this == PRODUCTION ? Side.PRODUCTION : Side.BEST_EFFORT;
  }

  /**
   * Returns the tier of a Google 2011 priority.
   *
   * @param priority 0 to 11
   */
  static Tier ofPriority(int priority) {
    if (priority >= 9) {
      return PRODUCTION;
    }
    return priority >= 2 ? OTHER : FREE;
  }
}
