/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import java.util.Locale;

/**
 * Something that was promised, and whether it held.
 *
 * @param about what it is about
 * @param name the promise
 * @param ok whether it held
 * @param measured what was measured
 * @param limit what was promised: at least or at most this
 * @param detail more about it, for people; may be empty
 */
record Verdict(About about, String name, boolean ok, double measured, double limit, String detail) {
  /** What a promise is about. */
  enum About {
    /** Whether results are right, and everything ran. */
    RESULTS,
    /** Whether production by itself was as fast in every mode: the machine's weather. */
    DRIFT,
    /** Whether the workload was what it is meant to be. */
    SHAPE,
    /** Whether it was worth it. */
    TARGET
  }

  static Verdict atLeast(About about, String name, double measured, double limit) {
    return new Verdict(about, name, measured >= limit, measured, limit, "");
  }

  static Verdict atMost(About about, String name, double measured, double limit) {
    return new Verdict(about, name, measured <= limit, measured, limit, "");
  }

  /** One line for people. */
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
