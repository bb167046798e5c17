/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** The permitted dependencies between the packages of the command line. */
class ArchitectureTest {
  /** Imported once, because the import takes longer than all the rules. */
  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .importPackages(
              "io.charon.cli",
              "io.charon.configure",
              "io.charon.doctor",
              "io.charon.replay",
              "io.charon.status");

  @Test
  void commandsAreOnTop() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.charon.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.charon.cli..")
        .because("what a command does must be usable without a terminal")
        .check(PRODUCTION);
  }

  @Test
  void nothingNeedsTheLaboratory() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.charon.evaluation..", "io.charon.dist..", "org.openjdk.jmh..")
        .because("a release does not hold it")
        .check(PRODUCTION);
  }

  @Test
  void packagesFormNoCircle() {
    slices().matching("io.(**)").should().beFreeOfCycles().check(PRODUCTION);
  }
}
