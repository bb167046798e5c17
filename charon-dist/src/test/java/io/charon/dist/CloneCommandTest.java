/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests bin/charon of a clone with a Maven that only writes jars and a Java that only prints. */
class CloneCommandTest {
  private static final Path SCRIPTS = Path.of("../bin").toAbsolutePath();

  @TempDir Path clone;

  private Path home;
  private Path lib;

  @BeforeEach
  void layOut() throws IOException {
    Path bin = Files.createDirectory(clone.resolve("bin"));
    for (String script : List.of("charon", "machine.sh")) {
      Files.copy(SCRIPTS.resolve(script), bin.resolve(script));
    }
    Files.writeString(clone.resolve("pom.xml"), "<hadoop.version>3.4.2</hadoop.version>");
    home = clone.resolve("charon-dist/target/hadoop-3.4.2");
    lib = Files.createDirectories(home.resolve("lib"));
    Files.writeString(lib.resolve("charon-core-1.0.jar"), "old");
    Files.writeString(lib.resolve("picocli-4.0.jar"), "old");
    Files.writeString(home.resolve("charon-dist-1.0.jar"), "old");
    Files.writeString(home.resolve("bom.json"), "kept");
    program("jdk/bin/javac", "exit 1");
    program("jdk/bin/java", "echo \"$@\"");
    Files.writeString(clone.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
  }

  /** Writes a Maven that lays out jars where it is told, and then ends with an exit code. */
  private void maven(int code) throws IOException {
    program(
        "programs/mvn",
        """
        for word; do case $word in -Dcharon.lib=*) lib=%s/${word#*=} ;; esac; done
        mkdir -p $lib && echo new >$lib/charon-core-2.0.jar && echo new >%s/charon-dist-2.0.jar
        exit %d
        """
            .formatted(home, home, code));
  }

  @Test
  void aBuildLeavesNoJarOfTheVersionBefore() throws Exception {
    maven(0);

    assertThat(charon("status", 0))
        .contains("building for Hadoop 3.4.2", "io.charon.cli.Charon status");

    assertThat(lib).isDirectoryContaining("glob:**/charon-core-2.0.jar");
    assertThat(lib).isDirectoryNotContaining("glob:**/{charon-core-1.0,picocli-4.0}.jar");
    assertThat(home).isDirectoryContaining("glob:**/charon-dist-2.0.jar");
    assertThat(home).isDirectoryContaining("glob:**/bom.json");
    assertThat(home).isDirectoryNotContaining("glob:**/charon-dist-1.0.jar");
    assertThat(charon("status", 0)).doesNotContain("building");
  }

  /** A cluster that runs uses them. */
  @Test
  void aBuildThatFailsLeavesTheJarsOfTheBuildBefore() throws Exception {
    maven(1);

    assertThat(charon("status", 1)).contains("the build failed");

    for (Path jar :
        List.of(
            lib.resolve("charon-core-1.0.jar"),
            lib.resolve("picocli-4.0.jar"),
            home.resolve("charon-dist-1.0.jar"))) {
      assertThat(jar).hasContent("old");
    }
    assertThat(lib).isDirectoryNotContaining("glob:**/charon-core-2.0.jar");
    maven(0);
    assertThat(charon("status", 0)).contains("building for Hadoop 3.4.2");
    assertThat(lib).isDirectoryNotContaining("glob:**/charon-core-1.0.jar");
  }

  private void program(String path, String script) throws IOException {
    Path file = clone.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private String charon(String word, int code) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("bash", clone.resolve("bin/charon").toString(), word)
            .redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", clone.resolve("jdk").toString());
    builder.environment().remove("CHARON_HADOOP");
    builder
        .environment()
        .merge("PATH", clone.resolve("programs").toString(), (old, added) -> added + ":" + old);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isEqualTo(code);
    return output;
  }
}
