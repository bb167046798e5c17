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
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A directory that looks like a Hadoop, and the scripts of a release, which run on it. */
abstract class ReleaseScripts {
  private static final Path SCRIPTS = Path.of("src/main/release/sbin").toAbsolutePath();
  static final int SOMEBODY = 65534;
  static final String INCLUDE =
      "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"charon-nodemanager.xml\"/>";

  @TempDir Path directory;
  Path hadoop;
  Path lib;
  Path conf;
  List<String> prefix = List.of();
  String programs = System.getenv("PATH");

  /** Value of HADOOP_CONF_DIR, or null. */
  Path current;

  @BeforeEach
  void layOut() throws IOException {
    hadoop = directory.resolve("hadoop");
    findPaths();
    Files.createDirectories(lib);
    Files.createDirectories(conf);
    Path common = Files.createDirectories(hadoop.resolve("share/hadoop/common"));
    Files.writeString(common.resolve("hadoop-common-3.4.2.jar"), "Hadoop");
    Files.writeString(lib.resolve("jackson.jar"), "Hadoop's own");
    yarnSite("");
    release("1.0");
  }

  void findPaths() {
    lib = hadoop.resolve("share/hadoop/yarn/lib");
    conf = hadoop.resolve("etc/hadoop");
  }

  static void assumeRoot() {
    assumeTrue(System.getProperty("user.name").equals("root"), "this needs root");
  }

  /** Gives Hadoop to a user. */
  void giveTo(int user) throws IOException {
    try (Stream<Path> tree = Files.walk(hadoop)) {
      for (Path path : tree.toList()) {
        Files.setAttribute(path, "unix:uid", user);
      }
    }
  }

  /** From now on the scripts run as that user. */
  void asSomebody() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    prefix = List.of("setpriv", "--reuid", Integer.toString(SOMEBODY), "--clear-groups");
  }

  static void program(Path file, String script) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  void yarnSite(String content) throws IOException {
    Files.writeString(
        conf.resolve("yarn-site.xml"), "<configuration>" + content + "</configuration>");
  }

  void release(String version) throws IOException {
    Path release = directory.resolve("release");
    Path sbin = Files.createDirectories(release.resolve("sbin"));
    for (String script : List.of("install.sh", "uninstall.sh", "install-helper.sh", "common.sh")) {
      Path copy = sbin.resolve(script);
      Files.deleteIfExists(copy);
      Files.copy(SCRIPTS.resolve(script), copy);
    }
    Files.writeString(release.resolve("RELEASE"), "version=" + version + "\nhadoop=3.4\n");
    for (String file :
        List.of(
            "share/hadoop/yarn/lib/charon-core.jar",
            "share/hadoop/yarn/lib/charon-web.jar",
            "share/hadoop/yarn/lib/charon-nodemanager.jar",
            "share/hadoop/yarn/lib/charon-scheduler.jar",
            "share/hadoop/yarn/lib/kernel-ua-killer.jar",
            "conf/charon-nodemanager.xml",
            "conf/charon-resourcemanager.xml",
            "conf/shellprofile.d/charon.sh")) {
      Path made = release.resolve(file);
      Files.createDirectories(made.getParent());
      String name = made.getFileName().toString().replace(".jar", "");
      Files.writeString(made, name + " " + version);
    }
  }

  Map<String, String> listing() throws IOException {
    Map<String, String> listing = new TreeMap<>();
    try (Stream<Path> tree = Files.walk(hadoop)) {
      for (Path file : tree.toList()) {
        listing.put(
            hadoop.relativize(file).toString(),
            Files.isDirectory(file) ? "directory" : Files.readString(file));
      }
    }
    return listing;
  }

  String install(String... words) throws Exception {
    return succeeded("install.sh", words);
  }

  String uninstall(String... words) throws Exception {
    return succeeded("uninstall.sh", words);
  }

  String succeeded(String script, String... words) throws Exception {
    Result result = run(script, words);
    assertThat(result.code()).as(result.output()).isZero();
    return result.output();
  }

  String refused(String script, String... words) throws Exception {
    Result result = run(script, words);
    assertThat(result.code()).as(result.output()).isEqualTo(1);
    return result.output();
  }

  Result run(String[] words) throws Exception {
    return run(words[0], Stream.of(words).skip(1).toArray(String[]::new));
  }

  Result run(String script, String... words) throws Exception {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(List.of("bash", directory.resolve("release/sbin").resolve(script).toString()));
    command.addAll(List.of(words));
    if (script.equals("uninstall.sh") && !command.contains("--cgroup")) {
      // Names that no NodeManager of this machine uses.
      command.addAll(
          List.of("--cgroup", "/charon-test-of-scripts", "--bpffs", directory.toString()));
    }
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("HADOOP_HOME", hadoop.toString());
    builder.environment().put("PATH", programs);
    builder.environment().remove("HADOOP_CONF_DIR");
    if (current != null) {
      builder.environment().put("HADOOP_CONF_DIR", current.toString());
    }
    builder.environment().remove("JAVA_HOME");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }

  record Result(int code, String output) {}
}
