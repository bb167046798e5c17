/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.nodemanager.agent.MechanismList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Settings as an operator would write them. */
public final class TestSettings {
  private TestSettings() {}

  /**
   * Returns a configuration in mode enforce, with a queue limit of 5 and these keys, given without
   * their common prefix.
   */
  public static Configuration configuration(String... keysAndValues) {
    Configuration configuration = new Configuration(false);
    configuration.setInt(YarnConfiguration.NM_OPPORTUNISTIC_CONTAINERS_MAX_QUEUE_LENGTH, 5);
    configuration.set(SettingsReader.MODE, "enforce");
    configuration.set("yarn.resourcemanager.charon.best-effort.enabled", "true");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      configuration.set(SettingsReader.PREFIX + keysAndValues[i], keysAndValues[i + 1]);
    }
    return configuration;
  }

  /** Returns the settings that a node reads from a configuration. */
  public static CharonSettings read(Configuration configuration) throws SettingsException {
    return SettingsReader.read(configuration, MechanismList.keys());
  }

  /** Returns the settings that a node reads from these keys, given without their common prefix. */
  public static CharonSettings of(String... keysAndValues) {
    try {
      return read(configuration(keysAndValues));
    } catch (SettingsException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
