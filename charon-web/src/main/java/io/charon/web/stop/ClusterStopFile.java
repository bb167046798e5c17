/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.web.stop;

import io.charon.web.trust.TrustedProperties;
import java.nio.file.Path;

/** The file of a ResourceManager's host that stops the cluster, as daemon and command know it. */
public final class ClusterStopFile {
  private static final String KEYS = "yarn.resourcemanager.charon.";

  /** The key that names it; none: there is no such file. */
  public static final String KEY = KEYS + "stop-file";

  /** What the keys of an order start with in it. */
  public static final String PREFIX = KEYS + "stop.";

  private ClusterStopFile() {}

  /**
   * The file, which need not exist.
   *
   * @param path absolute
   * @param user whom to trust beside root: the one as whom this program runs
   */
  public static TrustedProperties of(Path path, String user) {
    return new TrustedProperties(path, user, KEYS);
  }
}
