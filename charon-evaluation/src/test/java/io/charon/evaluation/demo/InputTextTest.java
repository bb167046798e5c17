/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputTextTest {
  @TempDir Path directory;

  @Test
  void repeatsAShortTextUpToTheSize() throws IOException {
    Path source = Files.writeString(directory.resolve("source.txt"), "one two\nthree\n");

    InputText text = InputText.prepare(source, directory.resolve("parts"), 1000, 4);

    assertThat(text.parts()).hasSize(4);
    for (Path part : text.parts()) {
      assertThat(Files.size(part)).isBetween(250L, 250L + 8);
      assertThat(Files.readAllLines(part)).contains("one two", "three");
    }
  }

  @Test
  void cutsALongTextAtLineEndsAndLosesNothingBetweenParts() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      lines.append("line ").append(i).append('\n');
    }
    Path source = Files.writeString(directory.resolve("source.txt"), lines);

    InputText text = InputText.prepare(source, directory.resolve("parts"), 2000, 3);

    StringBuilder joined = new StringBuilder();
    for (Path part : text.parts()) {
      String content = Files.readString(part);
      assertThat(content).endsWith("\n");
      joined.append(content);
    }
    assertThat(lines.toString()).startsWith(joined.substring(0, 1990));
  }

  @Test
  void dividesTextWithoutLineEnds() throws IOException {
    Path source = Files.writeString(directory.resolve("source.txt"), "x".repeat(500_000));

    InputText text = InputText.prepare(source, directory.resolve("parts"), 400_000, 2);

    for (Path part : text.parts()) {
      assertThat(Files.size(part)).isBetween(200_000L, 200_000L + 64 * 1024);
    }
  }

  @Test
  void readsTheSourceFilesInsideJars() throws IOException {
    Path jars = Files.createDirectories(directory.resolve("jars"));
    try (OutputStream file = Files.newOutputStream(jars.resolve("a-sources.jar"));
        ZipOutputStream jar = new ZipOutputStream(file)) {
      jar.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
      jar.write("Manifest\n".getBytes(StandardCharsets.UTF_8));
      jar.putNextEntry(new ZipEntry("a/A.java"));
      jar.write("class A {}\n".getBytes(StandardCharsets.UTF_8));
    }

    InputText text = InputText.prepare(jars, directory.resolve("parts"), 20, 1);

    assertThat(Files.readAllLines(text.parts().get(0))).containsOnly("class A {}");
  }

  @Test
  void refusesASourceWithoutText() throws IOException {
    Path empty = Files.createFile(directory.resolve("empty.txt"));
    Path missing = directory.resolve("missing");

    assertThatThrownBy(() -> InputText.prepare(empty, directory.resolve("parts"), 20, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No text in " + empty);
    assertThatThrownBy(() -> InputText.prepare(missing, directory.resolve("parts"), 20, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No input at " + missing);
  }
}
