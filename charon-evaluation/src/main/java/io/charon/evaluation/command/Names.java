/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import io.charon.cli.PlainText;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Converts names on the command line to values. */
final class Names {
  private Names() {}

  /**
   * Returns the value with a name.
   *
   * @throws ParameterException if there is none
   */
  static <T> T one(
      CommandSpec spec, String option, String name, Function<String, Optional<T>> values) {
    return values
        .apply(name)
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "%s: no '%s'; see %s --help"
                        .formatted(option, PlainText.escape(name), spec.qualifiedName())));
  }

  /**
   * Returns the values with several names, each value once.
   *
   * @throws ParameterException if a name has no value
   */
  static <T> List<T> all(
      CommandSpec spec, String option, List<String> names, Function<String, Optional<T>> values) {
    return names.stream().distinct().map(name -> one(spec, option, name, values)).toList();
  }
}
