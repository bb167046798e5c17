/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.stop;

import io.charon.web.trust.TrustedProperties;
import java.nio.file.Path;

/** The file on a ResourceManager's host that stops the cluster, as used by daemon and command. */
public final class ClusterStopFile {
  private static final String KEYS = "yarn.resourcemanager.charon.";

  /** The key that names the file; none: there is no such file. */
  public static final String KEY = "yarn.resourcemanager.charon.stop-file";

  private ClusterStopFile() {}

  /**
   * Returns the file, which need not exist.
   *
   * @param path absolute path
   * @param user the user to trust besides root: the one that runs this program
   */
  public static TrustedProperties of(Path path, String user) {
    return new TrustedProperties(path, user, KEYS);
  }
}
