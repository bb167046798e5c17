/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import io.charon.evaluation.demo.DemoVerdict.About;
import java.util.List;

/** The outcome of a run as a whole. */
public enum DemoOutcome {
  /** Every check passed. */
  PASSED,
  /** A check failed. */
  FAILED,
  /** The results are right, but the speed of the machine changed, so times cannot be compared. */
  INCONCLUSIVE;

  static DemoOutcome of(List<DemoVerdict> verdicts) {
    if (anyFailed(verdicts, About.RESULTS)) {
      return FAILED;
    }
    if (anyFailed(verdicts, About.PACE)) {
      return INCONCLUSIVE;
    }
    return verdicts.stream().allMatch(DemoVerdict::ok) ? PASSED : FAILED;
  }

  private static boolean anyFailed(List<DemoVerdict> verdicts, About about) {
    return verdicts.stream().anyMatch(verdict -> verdict.about() == about && !verdict.ok());
  }
}
