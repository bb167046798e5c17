/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/**
 * Checks the dependencies inside charon-scheduler.
 *
 * <p>The rules are ordinary test methods with their own import option, because Surefire does not
 * count rules that ArchUnit's runner finds in fields, whether they fail or not, and {@code
 * ImportOption.DoNotIncludeTests} does not recognize the output directories of this build.
 */
class ArchitectureTest {

  /** Imported once, because the import takes longer than all the rules. */
  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .importPackages("io.charon.scheduler");

  @Test
  void resourceManagerPluginsNeedHadoopOnly() {
    classes()
        .that()
        .resideInAPackage("io.charon.scheduler.resourcemanager..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "javax.servlet..",
            "org.apache.hadoop..",
            "org.slf4j..",
            "io.charon.core..",
            "io.charon.web..",
            "io.charon.scheduler..")
        .because("only Hadoop's own libraries are on the ResourceManager's classpath")
        .check(PRODUCTION);
  }

  @Test
  void theClustersStateKnowsNeitherYarnNorTheWeb() {
    classes()
        .that()
        .resideInAPackage("io.charon.scheduler.cluster..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "com.fasterxml.jackson..", "io.charon.scheduler.cluster..")
        .because("its names are promised to programs and must not follow YARN's")
        .check(PRODUCTION);
  }

  @Test
  void packagesFormNoCircle() {
    slices().matching("io.(**)").should().beFreeOfCycles().check(PRODUCTION);
  }
}
