/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

/** Checks for one program that Charon's own commands call. */
final class ProgramCheck implements Check {
  private final ProgramFinder finder;
  private final String name;
  private final String program;
  private final String purpose;
  private final String debianPackage;

  ProgramCheck(
      ProgramFinder finder, String name, String program, String purpose, String debianPackage) {
    this.finder = finder;
    this.name = name;
    this.program = program;
    this.purpose = purpose;
    this.debianPackage = debianPackage;
  }

  @Override
  public CheckResult run() {
    return finder
        .find(program)
        .map(path -> CheckResult.ok(name, path.toString()))
        .orElseGet(
            () ->
                CheckResult.missing(
                    name,
                    "no " + program + " on PATH; it " + purpose,
                    "apt-get install -y " + debianPackage));
  }
}
