/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.configure;

import io.charon.doctor.YarnSite;
import io.charon.nodemanager.config.OverridesFile;
import io.charon.nodemanager.config.SettingsException;
import io.charon.nodemanager.config.SettingsReader;
import java.nio.file.Path;
import java.util.Optional;

/** What {@code yarn-site.xml} on this machine says of its NodeManager. */
public final class LocalConfiguration {
  private final Path directory;

  /**
   * A configuration.
   *
   * @param directory holds {@code yarn-site.xml}
   */
  public LocalConfiguration(Path directory) {
    this.directory = directory;
  }

  /**
   * The overrides file that it names.
   *
   * @param user whom to trust beside root, the one as whom this process runs
   * @throws NodeOverrides.RefusedException if it names none, or cannot be read; the message says
   *     what to do
   */
  public OverridesFile overridesFile(String user) throws NodeOverrides.RefusedException {
    try {
      Path file =
          SettingsReader.overridesFile(new YarnSite(Optional.of(directory)).configuration())
              .orElseThrow(
                  () ->
                      new NodeOverrides.RefusedException(
                          directory.resolve("yarn-site.xml")
                              + " names no overrides file: set yarn.nodemanager.charon.overrides-file, for example to"
                              + " /var/lib/charon/overrides.properties, and restart the NodeManager once; or give --conf"
                              + " DIR of the NodeManager"));
      return new OverridesFile(file, user);
    } catch (SettingsException | IllegalArgumentException e) {
      throw new NodeOverrides.RefusedException(e.getMessage());
    }
  }
}
