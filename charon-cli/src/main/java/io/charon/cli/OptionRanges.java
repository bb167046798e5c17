/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks the ranges of numeric options. */
public final class OptionRanges {
  private OptionRanges() {}

  /** Rejects a value outside of its range as wrong usage. */
  public static void require(
      CommandSpec spec, String option, int value, int smallest, int largest) {
    if (value < smallest || value > largest) {
      throw new ParameterException(
          spec.commandLine(),
          option + " must be " + smallest + " to " + largest + ", was " + value);
    }
  }

  /** Rejects a value outside of its range, or NaN, as wrong usage. */
  public static void require(
      CommandSpec spec, String option, double value, double smallest, double largest) {
    if (!(value >= smallest && value <= largest)) {
      throw new ParameterException(
          spec.commandLine(),
          option + " must be " + smallest + " to " + largest + ", was " + value);
    }
  }
}
