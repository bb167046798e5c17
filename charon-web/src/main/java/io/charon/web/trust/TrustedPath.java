/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.trust;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;

/**
 * The path of a file that only root and one user can replace: from the root directory down, no part
 * of it is a link, belongs to another user, or is writable for others. Directories above the file's
 * own may be writable for all if they are sticky, as /tmp is, because each entry there belongs to
 * its owner.
 */
final class TrustedPath {
  private static final String ROOT = "root";

  /** S_ISVTX of stat(2). */
  private static final int STICKY = 01000;

  private TrustedPath() {}

  /**
   * Checks a path.
   *
   * @param file absolute path; it and its directory need not exist
   * @param user the user to trust besides root
   * @throws IOException if a part of the path must not be trusted; the message names it, the reason
   *     and the cure
   */
  static void require(Path file, String user) throws IOException {
    if (!file.equals(file.normalize())) {
      throw new IOException(file + " is not trusted: give its path without . and ..");
    }
    requirePart(file.getRoot(), file, user);
    for (int names = 1; names <= file.getNameCount(); names++) {
      try {
        requirePart(file.getRoot().resolve(file.subpath(0, names)), file, user);
      } catch (NoSuchFileException e) {
        return; // then nothing exists below it
      }
    }
  }

  private static void requirePart(Path part, Path file, String user) throws IOException {
    PosixFileAttributes found =
        Files.readAttributes(part, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    String owner = found.owner().getName();
    boolean trusted = owner.equals(ROOT) || owner.equals(user);
    boolean right = part.equals(file) ? found.isRegularFile() : found.isDirectory();
    if (!right || !trusted || (isWritableForOthers(found) && !isSharedAbove(part, file))) {
      throw new IOException(
          "%s is not trusted: it must be no link but %s, belong to %s (it belongs to %s), and be writable for its owner only (chmod go-w %1$s)"
              .formatted(
                  part,
                  part.equals(file) ? "a regular file" : "a directory",
                  user.equals(ROOT) ? ROOT : ROOT + " or " + user,
                  owner));
    }
  }

  private static boolean isWritableForOthers(PosixFileAttributes found) {
    return found.permissions().contains(PosixFilePermission.GROUP_WRITE)
        || found.permissions().contains(PosixFilePermission.OTHERS_WRITE);
  }

  private static boolean isSharedAbove(Path part, Path file) throws IOException {
    int mode = (Integer) Files.getAttribute(part, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    return (mode & STICKY) != 0 && !part.equals(file.getParent()) && !part.equals(file);
  }
}
