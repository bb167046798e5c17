/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command that users type, {@code bin/charon}: each subcommand is a class of this package. */
@Command(
    name = "charon",
    description = "Runs best-effort jobs on the idle memory of a Hadoop YARN cluster.",
    mixinStandardHelpOptions = true,
    subcommands = {})
public final class Charon {
  private Charon() {}

  /**
   * Runs one subcommand and exits with its code: 0 success, 1 a check failed, 2 wrong usage.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Charon()).execute(args));
  }
}
