/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Decisions depend on their arguments alone, so a live node and virtual time get the same. */
class PureDecisionsTest {
  private static final String PACKAGE = PureDecisionsTest.class.getPackageName();

  /** Imported only once, because that takes longer than all the rules. */
  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .importPackages(PACKAGE);

  @Test
  void nothingReadsAClockOrTheProcess() {
    noClasses()
        .should()
        .dependOnClassesThat(
            belongToAnyOf(System.class, Runtime.class, ProcessHandle.class, ProcessBuilder.class))
        .orShould()
        .dependOnClassesThat(
            resideInAPackage("java.time..").and(not(belongToAnyOf(Duration.class, Instant.class))))
        .orShould()
        .callMethod(Instant.class, "now")
        .because("time comes in as an argument")
        .check(PRODUCTION);
  }

  @Test
  void nothingIsRandom() {
    noClasses()
        .should()
        .dependOnClassesThat(belongToAnyOf(Random.class, UUID.class, SplittableRandom.class))
        .orShould()
        .dependOnClassesThat(resideInAnyPackage("java.util.random..", "java.security.."))
        .orShould()
        .callMethod(Math.class, "random")
        .because("the same calls give the same decisions")
        .check(PRODUCTION);
  }

  @Test
  void nothingReadsOrWrites() {
    noClasses()
        .should()
        .dependOnClassesThat(resideInAnyPackage("java.io..", "java.nio..", "java.net.."))
        .because("observations come in as arguments and decisions go out as values")
        .check(PRODUCTION);
  }

  @Test
  void nothingStartsThreadsOrWaitsForThem() {
    noClasses()
        .should()
        .dependOnClassesThat(belongToAnyOf(Thread.class, ThreadLocal.class, Timer.class))
        .orShould()
        .dependOnClassesThat(resideInAPackage("java.util.concurrent.."))
        .because("the caller owns one thread or one lock")
        .check(PRODUCTION);
  }

  @Test
  void nothingIsSharedBetweenInstances() {
    fields()
        .that()
        .areStatic()
        .should()
        .beFinal()
        .because("what one node has seen must not decide for another")
        .check(PRODUCTION);
  }
}
