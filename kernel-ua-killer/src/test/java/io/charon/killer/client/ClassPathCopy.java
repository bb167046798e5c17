/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Copies the classes of client and rules, and Jackson, to where another user can read them; a home
 * directory often does not allow that.
 */
final class ClassPathCopy {
  private ClassPathCopy() {}

  static List<String> into(Path directory) throws IOException {
    List<String> copies = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path source = Path.of(entry);
      boolean classes = !entry.isEmpty() && Files.isDirectory(source);
      if (classes || entry.contains("jackson") || entry.contains("charon-core")) {
        Path copy = directory.resolve(copies.size() + "-" + source.getFileName());
        copy(source, copy);
        copies.add(copy.toString());
      }
    }
    return copies;
  }

  private static void copy(Path source, Path target) throws IOException {
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.toList()) {
        Files.copy(file, target.resolve(source.relativize(file).toString()));
      }
    }
  }
}
