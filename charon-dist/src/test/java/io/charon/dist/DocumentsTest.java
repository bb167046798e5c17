/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.charon.cli.Charon;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the links and commands in the documents work. */
class DocumentsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\\n]*`");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");

  /** A command in an indented block, as a reader copies it. */
  private static final Pattern COMMAND =
      Pattern.compile("(?m)^ {4}(?:CHARON_HADOOP=\\S+ )?bin/charon ([^#\\n]*)");

  static Stream<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      List<Path> pages = docs.filter(file -> file.toString().endsWith(".md")).sorted().toList();
      return Stream.concat(
          Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")), pages.stream());
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyLinkLeadsToAFileAndAHeading(Path page) throws IOException {
    Matcher links = LINK.matcher(CODE.matcher(Files.readString(page)).replaceAll(""));
    while (links.find()) {
      String target = links.group(1);
      if (target.contains("://")) {
        continue;
      }
      String[] parts = target.split("#", 2);
      Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
      assertThat(file).as("%s links to %s", page, target).exists();
      if (parts.length == 2) {
        assertThat(anchors(file)).as("%s links to %s", page, target).contains(parts[1]);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyCommandIsUnderstood(Path page) throws Exception {
    Matcher commands = COMMAND.matcher(Files.readString(page));
    while (commands.find()) {
      String words = commands.group(1).replaceFirst("[&|>].*", "").trim();
      if (words.matches("test( .*)?")) {
        theScriptUnderstands(words);
      } else {
        assertThatCode(() -> Charon.commandLine().parseArgs(words.split("\\s+", -1)))
            .as("%s: bin/charon %s", page, words)
            .doesNotThrowAnyException();
      }
    }
  }

  /**
   * Checks a command of the test script, which parses all of its arguments before it prints the
   * help.
   */
  private static void theScriptUnderstands(String words) throws Exception {
    Process help =
        new ProcessBuilder(
                Stream.concat(
                        Stream.of(ROOT.resolve(".ci/test").toString()),
                        Stream.of((words + " --help").split("\\s+", -1)).skip(1))
                    .toList())
            .redirectErrorStream(true)
            .start();
    String said = new String(help.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(help.waitFor()).as("bin/charon %s: %s", words, said).isZero();
  }

  /** Returns the anchors that repositories generate for headings. */
  private static List<String> anchors(Path page) throws IOException {
    return HEADING
        .matcher(Files.readString(page))
        .results()
        .map(
            heading ->
                heading
                    .group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-'))
        .toList();
  }
}
