/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Checks the dependencies of the simulator's packages, and that no code uses the wall clock. */
class ArchitectureTest {
  /** Imported once, because the import takes longer than all the rules. */
  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .importPackages("io.charon.sls");

  @Test
  void theEngineNeedsTheJdkOnly() {
    classes()
        .that()
        .resideInAPackage("io.charon.sls.engine..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "io.charon.sls.engine..")
        .check(PRODUCTION);
  }

  @Test
  void nodesAndPoliciesKnowTheSharedCoreAndNoHadoop() {
    classes()
        .that()
        .resideInAnyPackage("io.charon.sls.node..", "io.charon.sls.policy..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "io.charon.core..",
            "io.charon.sls.workload",
            "io.charon.sls.node",
            "io.charon.sls.policy")
        .check(PRODUCTION);
  }

  @Test
  void onlyTheClusterKnowsHadoop() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.charon.sls.cluster..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.hadoop..")
        .check(PRODUCTION);
  }

  @Test
  void nothingReadsTheWallClock() {
    noClasses()
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(Thread.class, "sleep", long.class)
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.time.Clock")
        .check(PRODUCTION);
  }

  @Test
  void nothingDrawsWithoutASeed() {
    noClasses()
        .should()
        .callConstructor(Random.class)
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom")
        .check(PRODUCTION);
  }

  @Test
  void packagesFormNoCircle() {
    slices().matching("io.(**)").should().beFreeOfCycles().check(PRODUCTION);
  }
}
