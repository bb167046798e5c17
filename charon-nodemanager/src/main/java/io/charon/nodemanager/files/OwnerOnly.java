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
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;

/**
 * Makes files and directories that their owner alone may read, whatever the process's umask, and
 * opens none behind a link: they tell who runs what. What is there already keeps the permissions
 * that the operator gave it.
 */
public final class OwnerOnly {
  private OwnerOnly() {}

  /**
   * Makes a directory and those above it, where they are missing.
   *
   * @throws IOException if it cannot be made, or if a link or something else has its name
   */
  public static void makeDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException(directory + " is no directory; a link is not followed");
      }
      Files.createDirectories(directory, mode("rwx------"));
    }
  }

  /**
   * Opens a file, and makes it if the options say so.
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
   * Refuses what an operator named by mistake; it stays as it is.
   *
   * @throws IOException if it is there and no regular file
   */
  public static void requireFile(Path file) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(file + " is no regular file");
    }
  }

  private static FileAttribute<Set<PosixFilePermission>> mode(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }
}
