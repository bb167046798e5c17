/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.cluster;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.UserPrincipal;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A user of this machine to whom files can be given. */
record FileOwner(UserPrincipal user) {
  /**
   * Looks a user up.
   *
   * @throws java.nio.file.attribute.UserPrincipalNotFoundException if there is no such user
   */
  static FileOwner of(String name) throws IOException {
    return new FileOwner(
        FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(name));
  }

  /**
   * Gives a directory and its contents to the user: the directory itself last, so that the user
   * cannot change files that have not been given yet. Symbolic links are not followed.
   *
   * @param top a directory that no other user may enter
   */
  void chownTree(Path top) throws IOException {
    try (Stream<Path> tree = Files.walk(top)) {
      List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.getFileAttributeView(path, FileOwnerAttributeView.class, LinkOption.NOFOLLOW_LINKS)
            .setOwner(user);
      }
    }
  }
}
