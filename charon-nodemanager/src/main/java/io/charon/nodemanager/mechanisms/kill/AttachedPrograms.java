/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The attachments of the kernel killer's programs, which are pinned beside its maps. Without them
 * the maps stay as they are and nothing ever looks at them. Not thread-safe.
 */
final class AttachedPrograms {
  private static final String LINKS = "link_*";

  private final Path pins;
  private Set<String> expected = Set.of();

  /**
   * Nothing is expected yet.
   *
   * @param pins the directory of the killer's pins
   */
  AttachedPrograms(Path pins) {
    this.pins = pins;
  }

  /** Whatever is attached now is expected from now on: another killer was loaded. */
  void expect() {
    expected = attached().orElse(Set.of());
  }

  /** The name of a program that is not attached any more; empty also where nobody may look. */
  Optional<String> missing() {
    return attached()
        .flatMap(
            there -> expected.stream().filter(program -> !there.contains(program)).findFirst());
  }

  private Optional<Set<String>> attached() {
    Set<String> names = new TreeSet<>();
    try (DirectoryStream<Path> links = Files.newDirectoryStream(pins, LINKS)) {
      links.forEach(link -> names.add(link.getFileName().toString().substring(LINKS.length() - 1)));
      return Optional.of(names);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
