/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Damages valid tables and checks that a reader either reads or refuses them. */
public final class DamagedTables {
  private static final Pattern TOKEN = Pattern.compile("\"[^\"\n]*\"|[\\w.+:-]+|\\s|.");

  /** Replaces a token; most of them are of another type than any in a valid table. */
  private static final List<String> REPLACEMENTS =
      List.of(
          "",
          "null",
          "true",
          "\"text\"",
          "\"\"",
          "0",
          "-1",
          "1.5",
          "NaN",
          "Infinity",
          "1e308",
          "1e999999999",
          "2147483648",
          "9223372036854775807",
          "9223372036854775808",
          "9".repeat(400),
          "{}",
          "[]",
          "[[1], 2]",
          "{\"a\": [1]}",
          "[",
          "]",
          "{",
          "}",
          ",",
          ":",
          "\"",
          "\\",
          "\n",
          "\r",
          "\u0000",
          "\ufeff",
          "\ud800",
          "x".repeat(300),
          "[".repeat(300));

  /** Ends of the messages about a whole table, of which no line is wrong. */
  private static final Pattern WHOLE =
      Pattern.compile(
          ": (no usable row|no machine at the start of the trace|the table of tasks is empty|the file is empty.*)$");

  /** Limit of one reading, which takes milliseconds. */
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  private DamagedTables() {}

  /** Reads a file to its end. */
  @FunctionalInterface
  public interface Reading {
    /** Reads the file; rows that cannot be used are added to {@code badRows}. */
    void read(Path file, BadRows badRows) throws IOException;
  }

  /** One change of a text: some of its tokens are replaced by a text or by others of its tokens. */
  private record Edit(int at, int removed, int copied, int copiedFrom, String inserted) {
    void apply(List<String> tokens) {
      if (tokens.isEmpty()) {
        return;
      }
      int from = copiedFrom % tokens.size();
      List<String> added =
          new ArrayList<>(tokens.subList(from, Math.min(tokens.size(), from + copied)));
      added.add(inserted);
      int start = at % tokens.size();
      List<String> place = tokens.subList(start, Math.min(tokens.size(), start + removed));
      place.clear();
      place.addAll(added);
    }
  }

  /** Returns the text with up to four changes; the unchanged text is among the samples. */
  public static Arbitrary<String> of(String valid) {
    List<String> tokens = new ArrayList<>();
    Matcher token = TOKEN.matcher(valid);
    while (token.find()) {
      tokens.add(token.group());
    }
    Arbitrary<Integer> place = Arbitraries.integers().between(0, tokens.size() - 1);
    Arbitrary<Edit> replaced =
        Combinators.combine(place, Arbitraries.of(REPLACEMENTS))
            .as((at, text) -> new Edit(at, 1, 0, 0, text));
    Arbitrary<Edit> moved =
        Combinators.combine(
                place,
                Arbitraries.integers().between(0, 40),
                Arbitraries.integers().between(1, 40),
                place)
            .as((at, removed, copied, from) -> new Edit(at, removed, copied, from, ""));
    Arbitrary<Edit> truncated = place.map(at -> new Edit(at, tokens.size(), 0, 0, ""));
    return Arbitraries.frequencyOf(
            Tuple.of(6, replaced), Tuple.of(3, moved), Tuple.of(1, truncated))
        .list()
        .ofMaxSize(4)
        .map(
            edits -> {
              List<String> changed = new ArrayList<>(tokens);
              edits.forEach(edit -> edit.apply(changed));
              return String.join("", changed);
            });
  }

  /** Writes a text to a file, compressed if its name ends in {@code .gz}. */
  public static Path write(Path file, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (file.toString().endsWith(".gz")) {
      ByteArrayOutputStream compressed = new ByteArrayOutputStream();
      try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
        out.write(bytes);
      }
      bytes = compressed.toByteArray();
    }
    Files.createDirectories(file.getParent());
    return Files.write(file, bytes);
  }

  /**
   * Checks that a reader reads a file, or refuses all of it or some rows with a message that names
   * file and line.
   */
  public static void assertReadOrRefused(Path file, Reading reading) {
    BadRows badRows = new BadRows(false);
    String place = "(?s).*" + Pattern.quote(file.getFileName().toString());
    assertTimeoutPreemptively(
        DEADLINE,
        () -> {
          try {
            reading.read(file, badRows);
          } catch (IOException e) {
            assertThat(e.getMessage())
                .matches(
                    message ->
                        message.matches(place + ":\\d+: .+") || WHOLE.matcher(message).find());
          }
        });
    assertThat(badRows.first()).allMatch(row -> row.matches(place + ":\\d+: .+"));
  }
}
