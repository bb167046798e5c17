/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

/**
 * A number that was to be reached.
 *
 * @param name what was to be reached
 * @param measured what was, for people
 * @param verdict whether
 */
record ColocationTarget(String name, String measured, Verdict verdict) {
  /** Whether it was reached. */
  enum Verdict {
    OK("ok"),
    MISSED("missed"),
    /**
     * Two equal runs differ by more than the target leaves room for, or there is nothing to
     * compare.
     */
    NOT_MEASURABLE("not measurable");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  /** One line for people. */
  String line() {
    return String.format("%-15s%s: %s", verdict.text(), name, measured);
  }
}
