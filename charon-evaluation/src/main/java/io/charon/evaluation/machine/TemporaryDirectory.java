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
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Creates and deletes directories of temporary files. They contain the id of the process that
 * created them in their names.
 */
public final class TemporaryDirectory {
  /** A directory on a disk: what is in memory only cannot be dropped from the page cache. */
  private static final Path DISK = Path.of("/var/tmp");

  private static final Pattern PREFIX = Pattern.compile("charon-(?:[a-z]+-)+");
  private static final Pattern NAME = Pattern.compile("charon-(?:[a-z]+-)*(\\d{1,10})-\\d+");

  /** A directory that a process which no longer exists has left behind. */
  public record Leftover(Path directory, long processId) {}

  private TemporaryDirectory() {}

  /**
   * Creates a directory that only this user may read.
   *
   * @param prefix {@code charon-}, then lower-case words, each followed by a hyphen
   * @throws IllegalArgumentException if the prefix is another one: {@link #leftovers()} would look
   *     for the wrong process
   */
  public static Path create(String prefix) throws IOException {
    return create(temporary(), prefix);
  }

  private static Path create(Path parent, String prefix) throws IOException {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException("not a prefix of a temporary directory: " + prefix);
    }
    return Files.createTempDirectory(parent, prefix + ProcessHandle.current().pid() + "-");
  }

  private static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /**
   * Creates a directory that only this user may read.
   *
   * @param prefix as for {@link #create(String)}
   * @param cleanup receives the step that deletes the directory and its contents
   */
  public static Path create(String prefix, Cleanup cleanup) throws IOException {
    return removedBy(cleanup, create(prefix));
  }

  /** Returns this user's directories that processes which no longer exist have created. */
  public static List<Leftover> leftovers() throws IOException {
    List<Leftover> found = new ArrayList<>();
    for (Path parent : Stream.of(temporary(), DISK).distinct().filter(Files::exists).toList()) {
      found.addAll(leftovers(parent));
    }
    return found;
  }

  static List<Leftover> leftovers(Path parent) throws IOException {
    int user = owner(Path.of("/proc/self"));
    List<Leftover> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent, "charon-*")) {
      for (Path entry : entries) {
        Matcher name = NAME.matcher(entry.getFileName().toString());
        if (name.matches() && isDirectoryOf(user, entry)) {
          long creator = Long.parseLong(name.group(1));
          if (ProcessHandle.of(creator).isEmpty()) {
            found.add(new Leftover(entry, creator));
          }
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  private static boolean isDirectoryOf(int user, Path entry) throws IOException {
    try {
      return Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) && owner(entry) == user;
    } catch (NoSuchFileException removedMeanwhile) {
      return false;
    }
  }

  private static int owner(Path file) throws IOException {
    return (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Creates a directory that only this user may read, on a disk, for files that are to be dropped
   * from the page cache.
   *
   * @param prefix as for {@link #create(String)}
   * @param cleanup receives the step that deletes the directory and its contents
   */
  public static Path createOnDisk(String prefix, Cleanup cleanup) throws IOException {
    return removedBy(cleanup, create(DISK, prefix));
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
