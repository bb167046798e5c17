/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/**
 * Allowed dependencies between the decision packages; {@link PureDecisionsTest} checks what the
 * decisions may use.
 */
class ArchitectureTest {
  /** Imported only once, because that takes longer than all the rules. */
  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .importPackages("io.charon.core");

  @Test
  void decisionsNeedTheJdkOnly() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "io.charon.core..")
        .because("the simulator and the daemons share them, each with its own surroundings")
        .check(PRODUCTION);
  }

  @Test
  void packagesFormNoCircle() {
    slices().matching("io.(**)").should().beFreeOfCycles().check(PRODUCTION);
  }
}
