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
import io.charon.web.stop.ClusterStopFile;
import io.charon.web.trust.TrustedProperties;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** The configuration of the daemons on this machine, from {@code yarn-site.xml}. */
public final class LocalConfiguration {
  private static final String NO_FILE = "none";

  private final Path directory;

  /**
   * Creates the configuration; nothing is read yet.
   *
   * @param directory directory that holds {@code yarn-site.xml}
   */
  public LocalConfiguration(Path directory) {
    this.directory = directory;
  }

  /**
   * Returns the file for a stop of the cluster.
   *
   * @param user the user to trust besides root: the one that runs this process
   * @throws NodeOverrides.RefusedException if the configuration names no file, or cannot be read;
   *     the message says what to do
   */
  public TrustedProperties clusterStopFile(String user) throws NodeOverrides.RefusedException {
    String path = configuration().getTrimmed(ClusterStopFile.KEY, NO_FILE);
    if (path.equals(NO_FILE)) {
      throw new NodeOverrides.RefusedException(
          directory.resolve("yarn-site.xml")
              + " names no file for a stop of the cluster: set "
              + ClusterStopFile.KEY
              + ", for example to /var/lib/charon/cluster-stop.properties, and restart the ResourceManager once; or"
              + " give --conf DIR of the ResourceManager");
    }
    if (!path.startsWith("/") || path.indexOf(0) >= 0 || !path.endsWith(".properties")) {
      throw new NodeOverrides.RefusedException(
          "%s is '%s'; it must be none, or the absolute path of a file whose name ends in .properties"
              .formatted(ClusterStopFile.KEY, path));
    }
    return ClusterStopFile.of(Path.of(path), user);
  }

  /**
   * Whether the cluster has more than one ResourceManager.
   *
   * @throws NodeOverrides.RefusedException if the configuration cannot be read
   */
  public boolean hasSeveralResourceManagers() throws NodeOverrides.RefusedException {
    return configuration().getBoolean("yarn.resourcemanager.ha.enabled", false);
  }

  /**
   * Returns the period of the NodeManager's ticks, at each of which it reads the overrides file.
   *
   * @throws NodeOverrides.RefusedException if the configuration cannot be read
   */
  public Duration tick() throws NodeOverrides.RefusedException {
    String millis = configuration().getTrimmed(SettingsReader.TICK, "");
    // With a value that is none, the NodeManager has its default.
    return Duration.ofMillis(millis.matches("\\d{1,5}") ? Long.parseLong(millis) : 0);
  }

  private Configuration configuration() throws NodeOverrides.RefusedException {
    try {
      return new YarnSite(Optional.of(directory)).configuration();
    } catch (IllegalArgumentException e) {
      throw new NodeOverrides.RefusedException(e.getMessage());
    }
  }

  /**
   * Returns the overrides file.
   *
   * @param user the user to trust besides root: the one that runs this process
   * @throws NodeOverrides.RefusedException if the configuration names no file, or cannot be read;
   *     the message says what to do
   */
  public OverridesFile overridesFile(String user) throws NodeOverrides.RefusedException {
    try {
      Path file =
          SettingsReader.overridesFile(configuration())
              .orElseThrow(
                  () ->
                      new NodeOverrides.RefusedException(
                          directory.resolve("yarn-site.xml")
                              + " names no overrides file: set yarn.nodemanager.charon.overrides-file, for example to"
                              + " /var/lib/charon/overrides.properties, and restart the NodeManager once; or give --conf"
                              + " DIR of the NodeManager"));
      return new OverridesFile(file, user);
    } catch (SettingsException e) {
      throw new NodeOverrides.RefusedException(e.getMessage());
    }
  }
}
