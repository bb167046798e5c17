/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.killer.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The id by which the kernel killer identifies a cgroup: the inode number of its directory. */
public final class CgroupId {
  private CgroupId() {}

  /**
   * Returns the id of a cgroup in the hierarchy of the memory controller.
   *
   * @throws IOException if the cgroup no longer exists
   */
  public static long of(Path directory) throws IOException {
    return (Long) Files.getAttribute(directory, "unix:ino");
  }
}
