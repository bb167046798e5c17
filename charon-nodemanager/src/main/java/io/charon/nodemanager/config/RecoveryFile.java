/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Locates files of Charon in YARN's recovery directory. */
final class RecoveryFile {
  private RecoveryFile() {}

  /**
   * Returns the path of a file that survives a restart of the NodeManager.
   *
   * @param configuration the NodeManager's configuration
   * @param name name of the file
   * @return empty if recovery is off or has no absolute directory, so that no container survives a
   *     restart either
   */
  static Optional<Path> of(Configuration configuration, String name) {
    boolean recovers =
        configuration.getBoolean(
            YarnConfiguration.NM_RECOVERY_ENABLED, YarnConfiguration.DEFAULT_NM_RECOVERY_ENABLED);
    String directory = configuration.getTrimmed(YarnConfiguration.NM_RECOVERY_DIR, "");
    return recovers && directory.startsWith("/")
        ? Optional.of(Path.of(directory, name))
        : Optional.empty();
  }
}
