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
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that sources and pages use the names of the glossary and that abandoned names do not
 * return. A new line in {@link #BANNED} bans a word. CHANGELOG.md, which lists old names, and
 * published results are not checked.
 */
class BannedWordsTest {
  private static final Path ROOT = Path.of("..");

  /** Regular expressions that must not match anywhere. */
  private static final List<String> BANNED =
      List.of(
          "\\bMOST_[A-Z]",
          "\\bLEAST_[A-Z]",
          "PATIENCE",
          "\\b([A-Z]+_)?LOOKS?(_[A-Z]+)*\\b",
          "[Ll]earnt",
          "\\b(AskGate|AskBook|AskLimiter|OutstandingLedger|LastHour)(Test)?\\b",
          "\\b(KernelGuard|KernelLink|MemoryKills|PeakKeeper|Untold)(Test)?\\b",
          "\\b(isBound|takeOfPoorest|isPoorer|letThrough|forgetWhatIsOver)\\b",
          "\\b(BestEffortPause|NodePause|PauseRule|PauseSettings|FastLook|SlowLook)(Test)?\\b",
          "\\b(ClusterWords|ReclaimFence|GuiltySpells|JobPainter|HighestLately)(Test)?\\b");

  private static final Pattern WORDS = Pattern.compile(String.join("|", BANNED));
  private static final Pattern READ = Pattern.compile(".*\\.(java|c|h|js|sh|md|xml|html|ya?ml)");

  @Test
  void noBannedWordIsInSourcesOrPages() throws IOException {
    List<Path> files = files();
    assertThat(files).as("files that were read").hasSizeGreaterThan(1000);
    assertThat(files.stream().flatMap(BannedWordsTest::found)).isEmpty();
  }

  @Test
  void eachBannedWordIsRecognized() {
    assertThat(List.of("MOST_ROWS", "PATIENCE_NS", "learnt", "BETWEEN_LOOKS", "AskGateTest"))
        .allMatch(word -> WORDS.matcher("x " + word + " y").find());
    assertThat(List.of("ALMOST_ROWS", "the most_", "PendingRequests", "learned"))
        .noneMatch(word -> WORDS.matcher("x " + word + " y").find());
  }

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    files.add(ROOT.resolve("README.md"));
    files.add(ROOT.resolve("CONTRIBUTING.md"));
    try (Stream<Path> rooms = Files.list(ROOT)) {
      for (Path room : rooms.filter(Files::isDirectory).sorted().toList()) {
        String name = room.getFileName().toString();
        Path top = Files.isDirectory(room.resolve("src")) ? room.resolve("src") : room;
        if (top == room && !List.of("docs", "conf", "docker", ".ci").contains(name)) {
          continue;
        }
        try (Stream<Path> below = Files.walk(top)) {
          below.filter(BannedWordsTest::isRead).forEach(files::add);
        }
      }
    }
    return files;
  }

  private static boolean isRead(Path file) {
    return Files.isRegularFile(file)
        && READ.matcher(file.getFileName().toString()).matches()
        && !file.startsWith(ROOT.resolve("docs/results"))
        && !file.endsWith("BannedWordsTest.java");
  }

  private static Stream<String> found(Path file) {
    try {
      List<String> lines = Files.readAllLines(file);
      return Stream.iterate(0, at -> at + 1)
          .limit(lines.size())
          .filter(at -> WORDS.matcher(lines.get(at)).find())
          .map(at -> file + ":" + (at + 1) + ": " + lines.get(at).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
