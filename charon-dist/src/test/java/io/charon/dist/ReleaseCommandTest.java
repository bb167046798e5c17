/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a release's bin/charon with a Java, a Hadoop and a helper that only print. */
class ReleaseCommandTest {
  private static final Path SCRIPT = Path.of("src/main/release/bin/charon").toAbsolutePath();
  private static final int SOMEBODY = 1;

  @TempDir Path directory;
  private Path release;
  private Path hadoop;
  private Path jdk;

  @BeforeEach
  void layOut() throws IOException {
    release = directory.resolve("release");
    hadoop = directory.resolve("hadoop");
    jdk = directory.resolve("jdk");
    Path bin = Files.createDirectories(release.resolve("bin"));
    Files.copy(SCRIPT, bin.resolve("charon"));
    program(release.resolve("sbin/ua-killer"), "helper");
    program(jdk.resolve("bin/java"), "java");
    file(jdk.resolve("release"));
    file(jdk.resolve("lib/modules"));
    file(release.resolve("lib/charon-cli.jar"));
    file(hadoop.resolve("share/hadoop/common/lib/one.jar"));
    file(hadoop.resolve("share/hadoop/yarn/two.jar"));
  }

  @Test
  @Tag("must-never")
  void rootRunsNothingThatSomebodyElseCanReplace() throws Exception {
    assumeRoot();
    assertThat(charon("status")).contains("java", "io.charon.cli.Charon status");
    Path link = hadoop.resolve("share/hadoop/yarn/three.jar");
    Files.createSymbolicLink(link, file(directory.resolve("elsewhere/three.jar")));
    for (Path others :
        List.of(
            hadoop,
            hadoop.resolve("share/hadoop/common/lib"),
            hadoop.resolve("share/hadoop/common/lib/one.jar"),
            directory.resolve("elsewhere"),
            directory.resolve("elsewhere/three.jar"),
            jdk,
            jdk.resolve("bin/java"),
            jdk.resolve("lib/modules"),
            release.resolve("bin/charon"),
            release.resolve("lib/charon-cli.jar"))) {
      Files.setAttribute(others, "unix:uid", SOMEBODY);
      String owner = Files.getOwner(others).getName();
      assertThat(refused("status"))
          .contains(others + " belongs to " + owner, "run this command as " + owner, "chown -h ");
      Files.setAttribute(others, "unix:uid", 0);

      var mode = Files.getPosixFilePermissions(others);
      Files.setPosixFilePermissions(others, PosixFilePermissions.fromString("rwxrwxr-x"));
      assertThat(refused("status"))
          .contains(others + " belongs to root and has mode 775: chmod ", "go-w ");
      Files.setPosixFilePermissions(others, mode);
    }
    assertThat(charon("status")).contains("io.charon.cli.Charon status");
  }

  @Test
  @Tag("must-never")
  void rootRunsNoHelperThatSomebodyElseCanReplace() throws Exception {
    assumeRoot();
    Files.setAttribute(release.resolve("sbin"), "unix:uid", SOMEBODY);

    assertThat(refused("killer", "status")).contains(release.resolve("sbin") + " belongs to ");
  }

  @Test
  void aPlaceToWhichAnyoneMayAddIsRefusedForJarsAndFineAboveThem() throws Exception {
    assumeRoot();
    mode(directory, "1777");
    assertThat(charon("status")).contains("io.charon.cli.Charon status");
    Path jars = hadoop.resolve("share/hadoop/common");
    mode(jars, "1777");
    assertThat(refused("status")).contains(jars + " belongs to root and has mode 1777");
  }

  @Test
  void anotherUserRunsWhatThatUserHas() throws Exception {
    assumeRoot();
    for (Path path : List.of(hadoop, jdk.resolve("bin/java"), release)) {
      Files.setAttribute(path, "unix:uid", SOMEBODY);
    }
    mode(directory, "0755");

    assertThat(succeeded(List.of("setpriv", "--reuid", "65534", "--clear-groups"), "status"))
        .contains("io.charon.cli.Charon status");
  }

  @Test
  void theHelperIsCalledWithoutAJvmAndWithoutHadoop() throws Exception {
    try (Stream<Path> tree = Files.walk(jdk)) {
      for (Path path : tree.sorted((one, other) -> other.compareTo(one)).toList()) {
        Files.delete(path);
      }
    }
    hadoop = directory.resolve("none");

    assertThat(charon("killer", "--json", "status")).isEqualTo("helper --json status\n");
    assertThat(charon("killer")).isEqualTo("helper --help\n");
    assertThat(refused("killer", "--help")).contains("contains no share/hadoop/common");
  }

  @Test
  void theHelpOfTheKillerIsTheCommands() throws Exception {
    assertThat(charon("killer", "--help")).contains("java", "io.charon.cli.Charon killer --help");
  }

  private static void assumeRoot() {
    assumeTrue(System.getProperty("user.name").equals("root"), "the rule is for root");
  }

  private static Path file(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "content");
  }

  private static void program(Path file, String name) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\necho " + name + " \"$@\"\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void mode(Path path, String octal) throws IOException {
    Files.setAttribute(path, "unix:mode", Integer.parseInt(octal, 8));
  }

  private String charon(String... words) throws Exception {
    return succeeded(List.of(), words);
  }

  private String succeeded(List<String> before, String... words) throws Exception {
    Result result = run(before, words);
    assertThat(result.code()).as(result.output()).isZero();
    return result.output();
  }

  private String refused(String... words) throws Exception {
    Result result = run(List.of(), words);
    assertThat(result.code()).as(result.output()).isEqualTo(1);
    return result.output();
  }

  private Result run(List<String> before, String... words) throws Exception {
    List<String> command = new ArrayList<>(before);
    command.addAll(List.of("bash", release.resolve("bin/charon").toString()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("HADOOP_HOME", hadoop.toString());
    builder.environment().put("JAVA_HOME", jdk.toString());
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }

  private record Result(int code, String output) {}
}
