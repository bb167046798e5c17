/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedClassesTest {
  private static final Instant BUILT = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path home;

  private Path jar;
  private SharedClasses classes;

  private void install() throws IOException {
    Path lib = Files.createDirectory(home.resolve("lib"));
    jar = Files.writeString(lib.resolve("hadoop-common-3.4.2.jar"), "no jar");
    Files.writeString(lib.resolve("charon-evaluation-1.jar"), "no jar");
    for (String name : List.of("hadoop-common-3.4.2.jar", "charon-evaluation-1.jar")) {
      Files.setLastModifiedTime(lib.resolve(name), FileTime.from(BUILT));
    }
    classes = SharedClasses.of(Installation.at(home));
  }

  @Test
  void theJarsOfTheInstallationAreFirstOnTheClassPath() throws IOException {
    install();
    List<String> options = classes.jvmOptions("/configuration");
    assertThat(options.get(0)).startsWith("-XX:SharedArchiveFile=" + home);
    assertThat(options.get(1)).isEqualTo("-cp");
    assertThat(options.get(2)).isEqualTo(home.resolve("lib") + "/*:/configuration");
    assertThat(classes.taskOptions()).startsWith(" -XX:").endsWith("/*:$CLASSPATH");
  }

  @Test
  void aProgramThatFailsLeavesNoArchiveAndNoOtherFile() throws IOException {
    install();
    classes.prepare();
    try (Stream<Path> files = Files.list(home)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("lib", "classes.lock");
    }
  }

  @Test
  void anArchiveIsKeptUntilAJarIsNewer() throws IOException {
    install();
    Path archive = Path.of(classes.jvmOptions("").get(0).replace("-XX:SharedArchiveFile=", ""));
    Files.writeString(archive, "archive");
    Files.setLastModifiedTime(archive, FileTime.from(BUILT.plusSeconds(1)));
    assertThat(classes.isCurrent(archive)).isTrue();
    Files.setLastModifiedTime(jar, FileTime.from(BUILT.plusSeconds(2)));
    assertThat(classes.isCurrent(archive)).isFalse();
  }
}
