/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import java.nio.file.Path;

/**
 * The place from which this command runs.
 *
 * @param root the repository, or the directory of an installed release
 * @param uaKiller the program of the kernel UA killer, which may not be built yet
 * @param installed whether this is a release, without sources
 */
public record InstallPaths(Path root, Path uaKiller, boolean installed) {
  /** System property set by the script of a release. */
  private static final String RELEASE = "charon.release";

  /** System property set by the script of the repository. */
  private static final String ROOT = "charon.root";

  /** Determines the place from the system properties that the scripts set. */
  static InstallPaths ofThisProcess() {
    String release = System.getProperty(RELEASE);
    if (release != null) {
      Path root = Path.of(release).toAbsolutePath();
      return new InstallPaths(root, root.resolve("sbin/ua-killer"), true);
    }
    Path root = Path.of(System.getProperty(ROOT, "")).toAbsolutePath();
    return new InstallPaths(root, root.resolve("kernel-ua-killer/target/native/ua-killer"), false);
  }
}
