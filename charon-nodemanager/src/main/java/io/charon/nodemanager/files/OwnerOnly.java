/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;

/**
 * Creates files and directories that only their owner may read, independently of the process's
 * umask, because they contain who runs what; never follows a link. Existing files keep the
 * permissions that the operator gave them.
 */
public final class OwnerOnly {
  /** Writes the content of a file. */
  @FunctionalInterface
  public interface Content {
    /** Writes everything; the channel is closed afterwards. */
    void writeTo(FileChannel channel) throws IOException;
  }

  private OwnerOnly() {}

  /**
   * Creates a directory and its missing parents.
   *
   * @throws IOException if it cannot be created, or if the name belongs to a link or another kind
   *     of file
   */
  public static void makeDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException(directory + " is not a directory; links are not followed");
      }
      Files.createDirectories(directory, mode("rwx------"));
    }
  }

  /**
   * Opens a file, and creates it if the options say so.
   *
   * @param options as for {@link FileChannel#open}
   * @throws IOException if it cannot be opened, or is a link, a device or a pipe
   */
  public static FileChannel open(Path file, OpenOption... options) throws IOException {
    requireFile(file);
    Set<OpenOption> all = new HashSet<>(Set.of(options));
    all.add(LinkOption.NOFOLLOW_LINKS);
    return FileChannel.open(file, all, mode("rw-------"));
  }

  /**
   * Replaces a file, completely or not at all. Until everything is written, the content is in a
   * file beside it, with the ending {@code .new}.
   *
   * @throws IOException if it cannot be written, or is not a regular file; the old content is kept
   */
  public static void replace(Path file, Content content) throws IOException {
    requireFile(file);
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh); // left by a NodeManager that was killed while it wrote
    try (FileChannel channel =
        open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      content.writeTo(channel);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Rejects a path that an operator configured by mistake, and leaves it unchanged.
   *
   * @throws IOException if it exists and is not a regular file
   */
  public static void requireFile(Path file) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(file + " is not a regular file");
    }
  }

  /**
   * Moves a file with unusable content out of the way, so that the content is not lost.
   *
   * @return its new path, with the ending {@code .unusable}
   * @throws IOException if it cannot be moved, or is not a regular file
   */
  public static Path setAside(Path file) throws IOException {
    requireFile(file);
    return Files.move(
        file,
        file.resolveSibling(file.getFileName() + ".unusable"),
        StandardCopyOption.REPLACE_EXISTING);
  }

  private static FileAttribute<Set<PosixFilePermission>> mode(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }
}
