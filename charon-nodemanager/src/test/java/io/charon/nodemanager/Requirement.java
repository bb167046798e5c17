/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Requirements of a test on this kernel; if one is missing, the test is skipped with the reason.
 */
public final class Requirement {
  private Requirement() {}

  /**
   * Skips a test if a requirement is missing.
   *
   * @param test the class of the test
   * @param condition whether the requirement is met
   * @param otherwise what is missing, with the cure
   */
  public static void require(Class<?> test, boolean condition, String otherwise) {
    if (!condition) {
      System.out.println("SKIPPED " + test.getSimpleName() + ": " + otherwise);
    }
    assumeTrue(condition, otherwise);
  }
}
