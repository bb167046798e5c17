/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks the values of options. */
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

  /** Returns a value; reports the message of whoever does not accept it as wrong usage. */
  public static <T> T accepted(CommandSpec spec, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
