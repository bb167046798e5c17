/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The files of a release by their path in it, and which of them are programs. */
public final class ReleaseFiles {
  private final SortedMap<String, byte[]> contents = new TreeMap<>();
  private final Set<String> programs = new TreeSet<>();

  /** Adds a file that is not a program. */
  public void add(String path, byte[] content) {
    if (contents.putIfAbsent(path, content) != null) {
      throw new IllegalStateException("two files of the release are called " + path);
    }
  }

  /** Adds a text file, encoded in UTF-8. */
  public void add(String path, String content) {
    add(path, content.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Adds a file of this machine that is not a program.
   *
   * @throws IOException if it cannot be read
   */
  public void add(String path, Path source) throws IOException {
    add(path, Files.readAllBytes(source));
  }

  /**
   * Adds a program of this machine.
   *
   * @throws IOException if it cannot be read
   */
  public void addProgram(String path, Path source) throws IOException {
    add(path, source);
    programs.add(path);
  }

  /**
   * Adds all files of a directory and its subdirectories; files that are executable here are added
   * as programs.
   *
   * @param prefix prefix of their paths in the release, with a trailing slash, or empty
   * @throws IOException if a file cannot be read
   */
  public void addTree(String prefix, Path directory) throws IOException {
    try (Stream<Path> tree = Files.walk(directory)) {
      for (Path file : tree.filter(Files::isRegularFile).sorted().toList()) {
        String path = prefix + directory.relativize(file);
        if (Files.isExecutable(file)) {
          addProgram(path, file);
        } else {
          add(path, file);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Returns the contents by path, sorted by path and unmodifiable. */
  public SortedMap<String, byte[]> contents() {
    return Collections.unmodifiableSortedMap(contents);
  }

  /** Returns whether a file is a program. */
  public boolean isProgram(String path) {
    return programs.contains(path);
  }

  /** Returns the number of files. */
  public int size() {
    return contents.size();
  }
}
