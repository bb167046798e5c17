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

/** Creates and deletes directories of temporary files. */
public final class TemporaryDirectory {
  private TemporaryDirectory() {}

  /**
   * Creates a directory.
   *
   * @param prefix prefix of the directory's name
   * @param cleanup receives the step that deletes the directory and its contents
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
   * Deletes a directory and its contents. The contents may belong to other users, who may replace
   * directories by symbolic links meanwhile; no link is followed.
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

  /**
   * Deletes relative to the open directory, not by path; the default provider supports this on
   * Linux.
   */
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
