/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

/** Checks one facility of the machine. A check leaves no change behind. */
@FunctionalInterface
public interface Check {
  /**
   * Runs the check once.
   *
   * @return the finding; a facility that cannot be read is a finding, too, never an exception
   */
  CheckResult run();

  /**
   * Whether Charon cannot run at all without this facility.
   *
   * @return true for the few checks that decide the exit code of {@code charon doctor}
   */
  default boolean essential() {
    return false;
  }
}
