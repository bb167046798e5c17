/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** The permitted dependencies of what the pages of both daemons share. */
class ArchitectureTest {
  /** Imported once, because the import takes longer than all the rules. */
  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .importPackages("io.charon.web");

  @Test
  void webNeedsWhatEveryDaemonHas() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "javax.net.ssl..",
            "javax.security.auth..",
            "javax.servlet..",
            "org.ietf.jgss..",
            "org.slf4j..",
            "com.fasterxml.jackson..",
            "org.apache.hadoop.conf..",
            "org.apache.hadoop.fs..",
            "org.apache.hadoop.http..",
            "org.apache.hadoop.security..",
            "io.charon.core..",
            "io.charon.web..")
        .because(
            "the ResourceManager's page and the NodeManager's share it, and it knows nothing of YARN")
        .check(PRODUCTION);
  }

  @Test
  void sharingKnowsNoNetwork() {
    classes()
        .that()
        .resideInAPackage("io.charon.web.sharing..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "com.fasterxml.jackson..",
            "io.charon.core.scheduler..",
            "io.charon.web.sharing..")
        .because("the ResourceManager and the NodeManager share the messages")
        .check(PRODUCTION);
  }

  @Test
  void packagesFormNoCircle() {
    slices().matching("io.(**)").should().beFreeOfCycles().check(PRODUCTION);
  }
}
