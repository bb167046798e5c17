/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many tests ended how.
 *
 * @param passed tests that passed, 0 or more
 * @param failed tests with a failure or an error, 0 or more
 * @param skipped tests that did not run, 0 or more
 */
record TestTotals(long passed, long failed, long skipped) {
  static final TestTotals NONE = new TestTotals(0, 0, 0);

  private static final Pattern LINE =
      Pattern.compile("(\\d{1,9}) passed, (\\d{1,9}) failed, (\\d{1,9}) skipped");

  /**
   * Reads a closing line.
   *
   * @param line the line
   * @return its numbers, or empty if it is another line
   */
  static Optional<TestTotals> parse(String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new TestTotals(
            Long.parseLong(matcher.group(1)),
            Long.parseLong(matcher.group(2)),
            Long.parseLong(matcher.group(3))));
  }

  TestTotals plus(TestTotals other) {
    return new TestTotals(passed + other.passed, failed + other.failed, skipped + other.skipped);
  }

  /** The closing line of {@code charon test}, which continuous integration reads. */
  @Override
  public String toString() {
    return passed + " passed, " + failed + " failed, " + skipped + " skipped";
  }
}
