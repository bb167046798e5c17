/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * To whom a file belongs and who may use it.
 *
 * @param owner id of its owner
 * @param group name of its group
 * @param mode its permission bits, with those that change the user and the group
 */
record FileRights(int owner, String group, int mode) {
  private static final int PERMISSIONS = 07777;
  private static final int SET_USER = 04000;
  private static final int STICKY = 01000;
  private static final int WRITTEN_BY_GROUP_OR_OTHERS = 0022;
  private static final int WRITTEN_OR_RUN_BY_OTHERS = 0003;

  /** Reads the rights of a file; empty if this process may not. */
  static Optional<FileRights> of(Path file) {
    try {
      Map<String, Object> read = Files.readAttributes(file, "unix:uid,group,mode");
      return Optional.of(
          new FileRights(
              (Integer) read.get("uid"),
              read.get("group").toString(),
              (Integer) read.get("mode") & PERMISSIONS));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Whether only root may change the file, or the entries of the directory. */
  boolean onlyRootWrites() {
    return owner == 0 && (mode & WRITTEN_BY_GROUP_OR_OTHERS) == 0;
  }

  /** Whether this is a directory like {@code /tmp}, to which every user has to be able to write. */
  boolean sharedByAll() {
    return (mode & STICKY) != 0;
  }

  /** Whether a program of a group becomes root, and nobody outside the group may run it. */
  boolean becomesRootFor(String users) {
    return owner == 0
        && group.equals(users)
        && (mode & SET_USER) != 0
        && (mode & WRITTEN_OR_RUN_BY_OTHERS) == 0;
  }

  @Override
  public String toString() {
    return "owner %d, group %s, mode %04o".formatted(owner, group, mode);
  }
}
