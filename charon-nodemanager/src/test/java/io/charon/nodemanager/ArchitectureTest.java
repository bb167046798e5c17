/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The allowed dependencies inside charon-nodemanager.
 *
 * <p>Uses ordinary test methods and its own import option, because Surefire does not count rules
 * that ArchUnit's runner finds in fields, whether they fail or not, and {@code
 * ImportOption.DoNotIncludeTests} does not recognise the output directories of this build.
 */
class ArchitectureTest {
  /** Maximum number of packages of which each depends on the next. */
  private static final int MAX_CHAIN = 8;

  /** Imported once, because the import takes longer than all rules. */
  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .importPackages("io.charon.nodemanager");

  @Test
  void theNodeStandsOnTheDecisionsAndTheKillerAndOnWhatANodeManagerHas() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "javax.management..",
            "javax.servlet..",
            "org.slf4j..",
            "org.apache.hadoop..",
            "org.apache.commons.text..",
            "com.codahale.metrics..",
            "com.fasterxml.jackson..",
            "io.charon.core..",
            "io.charon.web..",
            "io.charon.killer..",
            "io.charon.nodemanager..")
        .because("only Hadoop's own libraries are on the NodeManager's classpath")
        .check(PRODUCTION);
  }

  @Test
  void hadoopStaysAtTheEdge() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.charon.nodemanager.yarn..", "io.charon.nodemanager.config..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.hadoop..")
        .because("a node must be testable without a NodeManager")
        .check(PRODUCTION);
  }

  @Test
  void noOtherPackageDependsOnThePartsThatYarnLoads() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.charon.nodemanager.yarn..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.charon.nodemanager.yarn..")
        .check(PRODUCTION);
  }

  /** Everything else writes cgroup files through {@code CgroupFile}, which never creates one. */
  @Test
  void onlyOneClassWritesCgroupFiles() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.charon.nodemanager.cgroup.CgroupDirectories")
        .and()
        .doNotHaveFullyQualifiedName("io.charon.nodemanager.mechanisms.llc.ResctrlFiles")
        .and()
        .doNotHaveFullyQualifiedName("io.charon.nodemanager.container.OomScores")
        .should()
        .callMethodWhere(
            DescribedPredicate.<JavaMethodCall>describe(
                "writes a file",
                call ->
                    call.getTargetOwner().isEquivalentTo(Files.class)
                        && call.getName().startsWith("write")))
        .because("resctrl and /proc are no cgroups, and each has its own class")
        .check(PRODUCTION);
  }

  /** Everything else makes and removes cgroups through {@code CgroupDirectories}. */
  @Test
  void onlyOneClassMakesAndRemovesCgroups() {
    Set<String> withFilesOfTheirOwn =
        Set.of(
            "io.charon.nodemanager.files.FoundValues",
            "io.charon.nodemanager.files.OwnerOnly",
            "io.charon.nodemanager.report.audit.AuditLog",
            "io.charon.nodemanager.report.recording.RecordingWriter");
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.charon.nodemanager.cgroup.CgroupDirectories")
        .and(
            DescribedPredicate.not(
                DescribedPredicate.<JavaClass>describe(
                    "have files of their own",
                    type -> withFilesOfTheirOwn.contains(type.getName()))))
        .should()
        .callMethodWhere(
            DescribedPredicate.<JavaMethodCall>describe(
                "makes or removes a directory, or removes a file",
                call ->
                    call.getTargetOwner().isEquivalentTo(Files.class)
                        && (call.getName().startsWith("createDirector")
                            || call.getName().startsWith("delete"))))
        .because("the kernel removes a cgroup's files itself")
        .check(PRODUCTION);
  }

  @Test
  void packagesFormNoCircle() {
    slices().matching("io.(**)").should().beFreeOfCycles().check(PRODUCTION);
  }

  @Test
  void mechanismsDoNotKnowOneAnother() {
    slices()
        .matching("io.charon.nodemanager.mechanisms.(*)..")
        .should()
        .notDependOnEachOther()
        .check(PRODUCTION);
  }

  /** A reader who follows a call downwards passes the packages of a chain. */
  @Test
  void noChainOfPackagesHasMoreThanEightLinks() {
    Map<String, Set<String>> below = new TreeMap<>();
    for (JavaClass type : PRODUCTION) {
      String from = type.getPackageName();
      Set<String> known = below.computeIfAbsent(from, name -> new TreeSet<>());
      type.getDirectDependenciesFromSelf().stream()
          .map(dependency -> dependency.getTargetClass().getPackageName())
          .filter(to -> to.startsWith("io.charon.nodemanager") && !to.equals(from))
          .forEach(known::add);
    }
    Map<String, List<String>> chains = new HashMap<>();
    assertThat(below.keySet())
        .allSatisfy(
            name ->
                assertThat(longestChain(name, below, chains)).hasSizeLessThanOrEqualTo(MAX_CHAIN));
  }

  private static List<String> longestChain(
      String from, Map<String, Set<String>> below, Map<String, List<String>> known) {
    if (!known.containsKey(from)) {
      List<String> chain = new ArrayList<>(List.of(from));
      below.get(from).stream()
          .map(next -> longestChain(next, below, known))
          .max(Comparator.comparingInt(List::size))
          .ifPresent(chain::addAll);
      known.put(from, chain);
    }
    return known.get(from);
  }

  @Test
  void onlyTheHolderOfTheNodeHasStaticState() {
    fields()
        .that()
        .areStatic()
        .and()
        .areDeclaredInClassesThat()
        .doNotHaveFullyQualifiedName("io.charon.nodemanager.yarn.CharonNodes")
        .should()
        .beFinal()
        .andShould(beImmutable())
        .check(PRODUCTION);
  }

  /** Lists the types that a constant may have here; a constant of any other type is reported. */
  private static ArchCondition<JavaField> beImmutable() {
    Set<String> immutable =
        Set.of(
            "io.charon.core.mechanism.Limit",
            "java.lang.String",
            "java.time.Duration",
            "java.util.regex.Pattern",
            "java.nio.file.Path",
            "org.slf4j.Logger");
    return ArchCondition.from(
        DescribedPredicate.describe(
            "be of an immutable type",
            field ->
                field.getRawType().isPrimitive()
                    || field.getRawType().isEnum()
                    || immutable.contains(field.getRawType().getName())
                    || field.getName().startsWith("$")));
  }
}
