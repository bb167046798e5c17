/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

/**
 * A target and its outcome.
 *
 * @param name description of the target
 * @param measured the measured value, for people
 * @param verdict whether the target was met
 */
record ColocationTarget(String name, String measured, Verdict verdict) {
  /** The outcome. */
  enum Verdict {
    OK("ok"),
    MISSED("missed"),
    /** Two identical runs differ by more than the target, or there is nothing to compare. */
    NOT_MEASURABLE("not measurable");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  /** Returns one line for people. */
  String line() {
    return String.format("%-15s%s: %s", verdict.text(), name, measured);
  }
}
