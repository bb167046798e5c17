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
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Checks for the programs that a NodeManager calls for its containers and, in a clone, for those
 * that demo and tests use, too.
 */
final class PackagesCheck implements Check {
  private static final String NAME = "packages";

  /** Each program and the Debian package that contains it. */
  private static final Map<String, String> OF_A_NODE =
      Map.of("bash", "bash", "setsid", "util-linux", "getconf", "libc-bin");

  private final ProgramFinder finder;
  private final Map<String, String> programs;
  private final Optional<List<Path>> fontDirectories;

  private PackagesCheck(
      ProgramFinder finder, Map<String, String> more, Optional<List<Path>> fontDirectories) {
    this.finder = finder;
    this.programs = new TreeMap<>(OF_A_NODE);
    programs.putAll(more);
    this.fontDirectories = fontDirectories;
  }

  /** Checks the programs that a NodeManager calls. */
  static PackagesCheck ofANode(ProgramFinder finder) {
    return new PackagesCheck(finder, Map.of(), Optional.empty());
  }

  /**
   * Creates a check that includes what a clone uses in addition.
   *
   * @param finder finds programs
   * @param fontDirectories directories of fonts; Java draws text, also into SVG files, only if a
   *     font is installed
   */
  static PackagesCheck ofAClone(ProgramFinder finder, List<Path> fontDirectories) {
    return new PackagesCheck(
        finder, Map.of("shellcheck", "shellcheck"), Optional.of(List.copyOf(fontDirectories)));
  }

  @Override
  public CheckResult run() {
    List<String> absent = new ArrayList<>();
    List<String> packages = new ArrayList<>();
    programs.forEach(
        (program, debianPackage) -> {
          if (finder.find(program).isEmpty()) {
            absent.add(program);
            packages.add(debianPackage);
          }
        });
    if (fontDirectories.stream().anyMatch(PackagesCheck::lackFonts)) {
      absent.add("fonts (for the picture of the demo)");
      packages.addAll(List.of("fontconfig", "fonts-dejavu-core"));
    }
    if (absent.isEmpty()) {
      return CheckResult.ok(
          NAME,
          String.join(", ", programs.keySet())
              + fontDirectories.map(found -> ", fonts").orElse(""));
    }
    return CheckResult.degraded(
        NAME,
        "not found: " + String.join(", ", absent),
        "apt-get install -y " + String.join(" ", packages));
  }

  private static boolean lackFonts(List<Path> directories) {
    return directories.stream().noneMatch(PackagesCheck::hasFont);
  }

  private static boolean hasFont(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.anyMatch(file -> file.toString().matches(".*\\.(ttf|otf|pfb)"));
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }
}
