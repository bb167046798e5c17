/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.Locale;

/**
 * A check and whether it passed.
 *
 * @param about subject of the check
 * @param name name of the check
 * @param ok whether the check passed
 * @param measured the measured value
 * @param limit the lower or upper limit of the measured value
 * @param detail further explanation; may be empty
 */
record DemoVerdict(
    About about, String name, boolean ok, double measured, double limit, String detail) {
  /** The subject of a check. */
  enum About {
    /** Whether results are right and everything ran. */
    RESULTS,
    /**
     * Whether production alone was equally fast in every mode, that is, whether the machine's speed
     * was stable.
     */
    PACE,
    /** Whether the workload had the intended properties. */
    SHAPE,
    /** Whether Charon met its targets. */
    TARGET
  }

  static DemoVerdict atLeast(About about, String name, double measured, double limit) {
    return new DemoVerdict(about, name, measured >= limit, measured, limit, "");
  }

  static DemoVerdict atMost(About about, String name, double measured, double limit) {
    return new DemoVerdict(about, name, measured <= limit, measured, limit, "");
  }

  /** Returns the check as one line of text. */
  String line() {
    return String.format(
        Locale.ROOT,
        "%s %s: %.4g (limit %.4g)%s",
        ok ? "ok   " : "FAIL ",
        name,
        measured,
        limit,
        detail.isEmpty() ? "" : "; " + detail);
  }
}
