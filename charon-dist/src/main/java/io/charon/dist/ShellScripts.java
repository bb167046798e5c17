/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import io.charon.cli.CommandRunner;
import io.charon.doctor.ProgramFinder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Checks the repository's shell scripts with ShellCheck; each script counts as one test. */
final class ShellScripts {
  private static final String TOOL = "shellcheck";

  private final Path root;
  private final CommandRunner runner;
  private final ProgramFinder programs;
  private final boolean superuser;

  /**
   * Creates the check.
   *
   * @param root the repository
   * @param runner runs programs
   * @param programs finds programs
   * @param superuser whether packages may be installed
   */
  ShellScripts(Path root, CommandRunner runner, ProgramFinder programs, boolean superuser) {
    this.root = root;
    this.runner = runner;
    this.programs = programs;
    this.superuser = superuser;
  }

  /**
   * Checks every script.
   *
   * @param out where to say what was done
   * @return one passed, failed or skipped test for each script
   * @throws IOException if scripts or programs cannot be read or started
   * @throws InterruptedException if interrupted while a program runs
   */
  TestTotals check(PrintWriter out) throws IOException, InterruptedException {
    List<Path> scripts = find();
    if (!installed()) {
      out.println(
          "charon: shell scripts skipped: no shellcheck on PATH, and "
              + (superuser ? "apt-get could not install it" : "only root may install it")
              + "; run: apt-get install -y shellcheck");
      return new TestTotals(0, 0, scripts.size());
    }
    int failed = 0;
    for (Path script : scripts) {
      String name = root.relativize(script).toString();
      // What a script sources is read, too, where it says where that lies.
      if (runner.run(root, List.of(TOOL, "--external-sources", name)) != 0) {
        failed++;
      }
    }
    out.printf("charon: shellcheck: %d scripts, %d with findings%n", scripts.size(), failed);
    return new TestTotals(scripts.size() - failed, failed, 0);
  }

  private boolean installed() throws IOException, InterruptedException {
    if (programs.find(TOOL).isEmpty() && superuser && programs.find("apt-get").isPresent()) {
      runner.run(root, List.of("apt-get", "-qq", "update"));
      runner.run(root, List.of("apt-get", "-qq", "install", "-y", "--no-install-recommends", TOOL));
    }
    return programs.find(TOOL).isPresent();
  }

  private List<Path> find() throws IOException {
    List<Path> scripts = new ArrayList<>();
    for (Path directory : directories()) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          if (isShellScript(file)) {
            scripts.add(file);
          }
        }
      }
    }
    return scripts;
  }

  /** Commands, continuous integration, configuration, and what the modules ship. */
  private List<Path> directories() throws IOException {
    try (Stream<Path> modules = Files.list(root)) {
      return Stream.concat(
              Stream.of(root.resolve("bin"), root.resolve(".ci"), root.resolve("conf")),
              modules.map(module -> module.resolve("src")).sorted())
          .filter(Files::isDirectory)
          .toList();
    }
  }

  private static boolean isShellScript(Path file) throws IOException {
    byte[] start;
    try (var stream = Files.newInputStream(file)) {
      start = stream.readNBytes(64);
    }
    String firstLine = new String(start, StandardCharsets.ISO_8859_1).split("\n", 2)[0];
    return firstLine.matches("#!.*[/ ](ba|da|)sh\\b.*");
  }
}
