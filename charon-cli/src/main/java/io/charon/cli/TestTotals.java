/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

/**
 * How many tests ended how.
 *
 * @param passed tests that passed, 0 or more
 * @param failed tests with a failure or an error, 0 or more
 * @param skipped tests that did not run, 0 or more
 */
record TestTotals(long passed, long failed, long skipped) {
  static final TestTotals NONE = new TestTotals(0, 0, 0);

  TestTotals plus(TestTotals other) {
    return new TestTotals(passed + other.passed, failed + other.failed, skipped + other.skipped);
  }

  /** The closing line of {@code charon test}, which continuous integration reads. */
  @Override
  public String toString() {
    return passed + " passed, " + failed + " failed, " + skipped + " skipped";
  }
}
