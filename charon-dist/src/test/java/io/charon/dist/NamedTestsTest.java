/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that the tests exist that documents name as evidence: JUnit classes ({@code FooTest}) and
 * methods ({@code FooTest.bar}), native tests, and tests of guests that a guest runs.
 */
class NamedTestsTest {
  private static final Path ROOT = Path.of("..");
  private static final Path NATIVE = ROOT.resolve("kernel-ua-killer/src/test/native");

  /** A class, and perhaps a method. CONTRIBUTING.md also names the end of such names. */
  private static final Pattern JUNIT =
      Pattern.compile("(?<!ends in )`([A-Z]\\w*(?:Tests?|IT))(?:\\.(\\w+))?`");

  private static final Pattern SCRIPT = Pattern.compile("`([a-z0-9-]+)`");

  /** Native and guest tests in a sentence: what they are called there, and their names. */
  private static final Pattern SCRIPTS_IN_A_SENTENCE =
      Pattern.compile("\\b(native |guest |)tests? (`[a-z0-9-]+`(?:(?:, | and )`[a-z0-9-]+`)*)");

  /** A row of the table of claims: what the tests are called, and where they are. */
  private static final Pattern CLAIM =
      Pattern.compile("(?m)^\\| [^|]+ \\| ([^|]+) \\| ([^|]+) \\|$");

  /** The Java sources of all modules. */
  private static List<Path> sources;

  @BeforeAll
  static void findSources() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      sources =
          modules
              .map(module -> module.resolve("src"))
              .filter(Files::isDirectory)
              .flatMap(NamedTestsTest::javaFiles)
              .toList();
    }
  }

  static Stream<Path> pages() throws IOException {
    return DocumentsTest.pages();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyTestThatAPageNamesExists(Path page) throws IOException {
    String text = Files.readString(page).replaceAll("\\s+", " ");
    JUNIT
        .matcher(text)
        .results()
        .forEach(
            named ->
                assertThat(ROOT)
                    .as("%s names %s", page, named.group())
                    .matches(root -> isJunit(root, named)));
    SCRIPTS_IN_A_SENTENCE
        .matcher(text)
        .results()
        .forEach(
            list -> {
              String kind = list.group(1).trim();
              names(list.group(2))
                  .forEach(
                      name ->
                          assertThat(kind.isEmpty() ? List.of("native", "guest") : List.of(kind))
                              .as("%s names %s", page, list.group())
                              .anyMatch(one -> isScript(one, name)));
            });
  }

  /** A place without any of the tests would be a mistake, too. */
  @Test
  void theTestsOfEveryClaimAreWhereTheTableSays() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/security.md"));
    String table = page.substring(page.indexOf("| claim | test | where |"));
    List<MatchResult> rows = CLAIM.matcher(table).results().skip(1).toList();
    assertThat(rows).as("claims").hasSizeGreaterThan(40);
    for (MatchResult row : rows) {
      Set<String> places = new TreeSet<>(List.of(row.group(2).split("[,;] ", -1)));
      Set<String> used = new TreeSet<>();
      JUNIT
          .matcher(row.group(1))
          .results()
          .forEach(
              named -> {
                List<String> modules =
                    places.stream().filter(place -> isJunit(ROOT.resolve(place), named)).toList();
                assertThat(modules).as("%s in %s", named.group(), places).isNotEmpty();
                used.addAll(modules);
              });
      names(row.group(1))
          .forEach(
              name -> {
                List<String> kinds =
                    places.stream().filter(place -> isScript(place, name)).toList();
                assertThat(kinds).as("%s in %s", name, places).isNotEmpty();
                used.addAll(kinds);
              });
      assertThat(used).as("places of the tests in: %s", row.group()).isEqualTo(places);
    }
  }

  /** Other unit tests with the tag run on one line of Hadoop always. */
  @Test
  void everyClassWithATestForAllOnlyIsInTheTableOfTheseTests() throws IOException {
    String page = Files.readString(ROOT.resolve("CONTRIBUTING.md"));
    String table = page.substring(page.indexOf("| only with `--all` |"));
    String firstColumn =
        table
            .substring(0, table.indexOf("\n\n"))
            .lines()
            .map(row -> row.split(" \\| ", -1)[0])
            .collect(Collectors.joining("\n"));
    List<String> onlyWithAll =
        sources.stream()
            .filter(source -> !source.startsWith(ROOT.resolve("hadoop-tests"))) // rows of their own
            .filter(source -> source.toString().matches(".*(IT|KernelTest)\\.java"))
            .filter(source -> read(source).contains("@Tag(\"long\")"))
            .map(source -> source.getFileName().toString().replace(".java", ""))
            .toList();
    assertThat(onlyWithAll).as("classes with the tag").hasSizeGreaterThan(15);
    assertThat(onlyWithAll)
        .as("first column of the table in CONTRIBUTING.md; add a row with what stays")
        .allSatisfy(name -> assertThat(firstColumn).contains("`" + name + "`"));
  }

  @Test
  void aTestThatDoesNotExistIsNoticed() {
    assertThat(JUNIT.matcher("`GoneTest`, `NamedTestsTest.gone`").results())
        .hasSize(2)
        .noneMatch(named -> isJunit(ROOT, named));
    assertThat(isScript("native", "gone")).isFalse();
    assertThat(isScript("guest", "socket")).as("a native test that no guest runs").isFalse();
  }

  private static Stream<String> names(String scripts) {
    return SCRIPT.matcher(scripts).results().map(script -> script.group(1));
  }

  /** Whether the class and, if one is named, the method are below the directory. */
  private static boolean isJunit(Path directory, MatchResult named) {
    return sources.stream()
        .filter(source -> source.startsWith(directory))
        .filter(source -> source.endsWith(named.group(1) + ".java"))
        .anyMatch(
            source -> named.group(2) == null || read(source).contains(" " + named.group(2) + "("));
  }

  private static boolean isScript(String kind, String name) {
    return switch (kind) {
      case "native" -> Files.exists(NATIVE.resolve("tests/" + name + ".sh"));
      case "guest" ->
          Pattern.compile("(?m)^ *\\S+\\) echo \".*(?<![\\w-])" + name + "(?![\\w-])")
              .matcher(read(NATIVE.resolve("guest/run-guests.sh")))
              .find();
      default -> false;
    };
  }

  private static Stream<Path> javaFiles(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
