/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Programs that a NodeManager calls for its containers, and what the demo and the tests use. */
final class PackagesCheck implements Check {
  private static final String NAME = "packages";

  /** Program and the Debian package that has it. */
  private static final Map<String, String> PROGRAMS =
      new TreeMap<>(
          Map.of(
              "bash", "bash",
              "setsid", "util-linux",
              "getconf", "libc-bin",
              "shellcheck", "shellcheck"));

  private final ProgramFinder finder;
  private final List<Path> fontDirectories;

  /**
   * Checks programs and fonts.
   *
   * @param finder finds programs
   * @param fontDirectories where fonts are; Java draws text, also into SVG files, only with a font
   *     installed
   */
  PackagesCheck(ProgramFinder finder, List<Path> fontDirectories) {
    this.finder = finder;
    this.fontDirectories = List.copyOf(fontDirectories);
  }

  @Override
  public CheckResult run() {
    List<String> absent = new ArrayList<>();
    List<String> packages = new ArrayList<>();
    PROGRAMS.forEach(
        (program, debianPackage) -> {
          if (finder.find(program).isEmpty()) {
            absent.add(program);
            packages.add(debianPackage);
          }
        });
    if (fontDirectories.stream().noneMatch(PackagesCheck::hasFont)) {
      absent.add("fonts (for the picture of the demo)");
      packages.addAll(List.of("fontconfig", "fonts-dejavu-core"));
    }
    if (absent.isEmpty()) {
      return CheckResult.ok(NAME, "fonts, " + String.join(", ", PROGRAMS.keySet()));
    }
    return CheckResult.degraded(
        NAME,
        "not found: " + String.join(", ", absent),
        "apt-get install -y " + String.join(" ", packages));
  }

  private static boolean hasFont(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.anyMatch(file -> file.toString().matches(".*\\.(ttf|otf|pfb)"));
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }
}
