/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** Checks the permitted dependencies of the code that creates a release. */
class ArchitectureTest {
  /** Imported once, because importing takes longer than checking all the rules. */
  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .importPackages("io.charon.dist");

  @Test
  void aReleaseIsMadeOfTheCommandAndTheMachinesPrograms() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "com.fasterxml.jackson..",
            "org.apache.commons.compress..",
            "picocli..",
            "io.charon.cli..",
            "io.charon.doctor..",
            "io.charon.evaluation.cluster..",
            "io.charon.evaluation.machine..",
            "io.charon.dist..")
        .because("it takes jars as they were built, and runs none of their code")
        .check(PRODUCTION);
  }

  @Test
  void packagesFormNoCircle() {
    slices().matching("io.(**)").should().beFreeOfCycles().check(PRODUCTION);
  }
}
