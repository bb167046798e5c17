/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import java.util.List;

/**
 * What became of tests in Java.
 *
 * @param tests each with its last outcome
 */
record TestOutcomes(List<Test> tests) {
  /** How a test ended. */
  enum Outcome {
    PASSED,
    PASSED_AT_SECOND_ATTEMPT,
    FAILED,
    SKIPPED
  }

  /**
   * One test.
   *
   * @param name class and method
   * @param outcome how it ended
   */
  record Test(String name, Outcome outcome) {}

  /** Copies the list. */
  TestOutcomes {
    tests = List.copyOf(tests);
  }

  /** The sums; a second attempt that passed counts as passed. */
  TestTotals totals() {
    return new TestTotals(
        count(Outcome.PASSED) + count(Outcome.PASSED_AT_SECOND_ATTEMPT),
        count(Outcome.FAILED),
        count(Outcome.SKIPPED));
  }

  /** The names of the tests that ended so. */
  List<String> names(Outcome outcome) {
    return tests.stream().filter(test -> test.outcome() == outcome).map(Test::name).toList();
  }

  private long count(Outcome outcome) {
    return names(outcome).size();
  }
}
