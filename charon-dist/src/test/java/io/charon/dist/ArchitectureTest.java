/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks the permitted dependencies of the code that creates a release, and what holds for the
 * modules of which it consists.
 */
class ArchitectureTest {
  /** Readers cannot tell more values apart by their positions. */
  private static final int MAX_COMPONENTS = 8;

  /** Maximum number of lines of a source file. */
  private static final long MAX_LINES = 400;

  /** What operators type stays small: demo and benchmarks are in charon-evaluation. */
  private static final long MAX_COMMAND_LINES = 10_000;

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

  /** No record is excepted. */
  @Test
  void aRecordHasAtMostEightComponents() {
    classes()
        .that()
        .areRecords()
        .should(
            ArchCondition.from(
                DescribedPredicate.describe(
                    "have at most %d components".formatted(MAX_COMPONENTS),
                    type -> components(type) <= MAX_COMPONENTS)))
        .because("its values are given by position: group those that change together")
        .check(
            new ClassFileImporter()
                .withImportOption(location -> !location.contains("/test-classes/"))
                .importPackages("io.charon"));
  }

  @Test
  void aFileHasAtMostFourHundredLines() throws IOException {
    for (Path file : sources()) {
      assertThat(Files.readString(file).lines().count())
          .as(file.toString())
          .isLessThanOrEqualTo(MAX_LINES);
    }
  }

  @Test
  void theCommandHasAtMostTenThousandLinesOfCode() throws IOException {
    long lines = 0;
    for (Path file : sources()) {
      if (file.startsWith(Path.of("../charon-cli"))) {
        lines += codeLines(Files.readAllLines(file));
      }
    }
    assertThat(lines).isBetween(MAX_COMMAND_LINES / 2, MAX_COMMAND_LINES);
  }

  @Test
  void linesOfCodeAreNeitherBlankNorCommentsAlone() {
    assertThat(
            codeLines(
                """
                /* A licence,
                   indented. */

                /** One line. */
                  /**
                   * Several lines.
                   */
                int a = 1; // a remark
                // a remark alone
                String glob = "/**";
                """
                    .lines()
                    .toList()))
        .isEqualTo(2);
  }

  private static long codeLines(List<String> lines) {
    long code = 0;
    boolean inComment = false;
    for (String line : lines) {
      String text = line.strip();
      if (inComment || text.startsWith("/*")) {
        inComment = !text.contains("*/");
      } else if (!text.isEmpty() && !text.startsWith("//")) {
        code++;
      }
    }
    return code;
  }

  /** Neither a reader nor an import then has to ask which of two classes is meant. */
  @Test
  void aNameBelongsToOneClass() throws IOException {
    Map<String, List<Path>> byName = new TreeMap<>();
    for (Path file : sources()) {
      byName.computeIfAbsent(file.getFileName().toString(), name -> new ArrayList<>()).add(file);
    }
    byName.remove("package-info.java");
    assertThat(byName).allSatisfy((name, files) -> assertThat(files).hasSize(1));
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      for (Path module : modules.toList()) {
        Path directory = module.resolve("src/main/java");
        if (Files.isDirectory(directory)) {
          try (Stream<Path> files = Files.walk(directory)) {
            files.filter(path -> path.toString().endsWith(".java")).forEach(sources::add);
          }
        }
      }
    }
    assertThat(sources).hasSizeGreaterThan(1000);
    return sources;
  }

  /** Counts the fields of a record's components; its class is not loaded, nor are their types. */
  private static long components(JavaClass type) {
    return type.getFields().stream()
        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
        .count();
  }

  @Test
  void packagesFormNoCircle() {
    slices().matching("io.(**)").should().beFreeOfCycles().check(PRODUCTION);
  }
}
