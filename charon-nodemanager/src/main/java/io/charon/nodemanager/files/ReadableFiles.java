/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads what a node wrote, perhaps as another user; every failure names the path and the reason.
 */
public final class ReadableFiles {
  private ReadableFiles() {}

  /**
   * Opens a file.
   *
   * @throws IOException if it cannot be opened
   */
  public static InputStream open(Path file) throws IOException {
    try {
      return Files.newInputStream(file);
    } catch (NoSuchFileException | AccessDeniedException e) {
      throw explained(file, e);
    }
  }

  /**
   * Returns those files of a directory that exist, in the order of their names here. The directory
   * is listed, since a file in a directory that may not be read does not seem to exist.
   *
   * @throws IOException if the directory cannot be listed
   */
  public static List<Path> existing(Path directory, List<String> names) throws IOException {
    Set<Path> entries = new HashSet<>();
    try (DirectoryStream<Path> listed = Files.newDirectoryStream(directory)) {
      listed.forEach(entries::add);
    } catch (NoSuchFileException | AccessDeniedException | NotDirectoryException e) {
      throw explained(directory, e);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names.stream().map(directory::resolve).filter(entries::contains).toList();
  }

  private static IOException explained(Path path, IOException e) {
    String reason = "is not a directory";
    if (e instanceof NoSuchFileException) {
      reason = "does not exist";
    } else if (e instanceof AccessDeniedException) {
      reason = "may not be read by this user";
    }
    return new IOException(path + " " + reason, e);
  }
}
