/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.time.Duration;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The same decisions on a live node, in virtual time and in a replay: from arguments alone. */
class PureRegulatorsTest {
  private static final String PACKAGE = PureRegulatorsTest.class.getPackageName();

  private final JavaClasses production =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .importPackages(PACKAGE);

  @Test
  void theJdkIsEnough() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java.lang..", "java.util", "java.time", PACKAGE)
        .because("no file, no socket, no Hadoop: observations come in as arguments")
        .check(production);
  }

  @Test
  void nothingReadsAClockOrStartsAThreadOrDrawsLots() {
    noClasses()
        .should()
        .dependOnClassesThat(
            belongToAnyOf(
                System.class,
                Runtime.class,
                ProcessHandle.class,
                ProcessBuilder.class,
                Thread.class,
                ThreadLocal.class,
                Timer.class,
                Random.class,
                SplittableRandom.class,
                UUID.class))
        .orShould()
        .dependOnClassesThat(resideInAPackage("java.time").and(not(belongToAnyOf(Duration.class))))
        .orShould()
        .dependOnClassesThat(resideInAnyPackage("java.util.concurrent..", "java.util.random.."))
        .orShould()
        .callMethod(Math.class, "random")
        .because("the same observations give the same decisions")
        .check(production);
  }

  @Test
  void nothingIsSharedBetweenInstances() {
    fields().that().areStatic().should().beFinal().check(production);
  }
}
