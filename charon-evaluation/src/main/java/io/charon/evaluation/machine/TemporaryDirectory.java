/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.machine;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.ArrayList;
import java.util.List;

/** A directory for files that nobody wants afterwards. */
public final class TemporaryDirectory {
  private TemporaryDirectory() {}

  /**
   * Makes one.
   *
   * @param prefix of its name
   * @param cleanup learns how to remove it with all that is in it
   */
  public static Path create(String prefix, Cleanup cleanup) throws IOException {
    return removedBy(cleanup, Files.createTempDirectory(prefix));
  }

  /**
   * Creates a directory below another one.
   *
   * @param parent directory in which it is created
   * @param prefix beginning of its name
   * @param cleanup removes it with everything in it
   */
  public static Path create(Path parent, String prefix, Cleanup cleanup) throws IOException {
    return removedBy(cleanup, Files.createTempDirectory(parent, prefix));
  }

  private static Path removedBy(Cleanup cleanup, Path directory) {
    cleanup.add(() -> delete(directory));
    return directory;
  }

  /**
   * Removes a directory with all that is in it. What is in it may belong to other users, who may
   * put links in the place of directories meanwhile: none is followed.
   */
  public static void delete(Path directory) throws IOException {
    if (!Files.isSymbolicLink(directory)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
        deleteIn((SecureDirectoryStream<Path>) entries);
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
    }
    Files.delete(directory);
  }

  /** Goes by the directory that is open, not by its path (Linux has such a stream). */
  private static void deleteIn(SecureDirectoryStream<Path> directory) throws IOException {
    List<Path> names = new ArrayList<>();
    directory.forEach(entry -> names.add(entry.getFileName()));
    for (Path name : names) {
      if (isDirectory(directory, name)) {
        try (SecureDirectoryStream<Path> entries =
            directory.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
          deleteIn(entries);
        }
        directory.deleteDirectory(name);
      } else {
        directory.deleteFile(name);
      }
    }
  }

  private static boolean isDirectory(SecureDirectoryStream<Path> directory, Path name)
      throws IOException {
    return directory
        .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes()
        .isDirectory();
  }
}
