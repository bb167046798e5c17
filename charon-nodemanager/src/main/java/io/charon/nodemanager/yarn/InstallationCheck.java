/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.nodemanager.config.LinuxIsolation;
import io.charon.nodemanager.config.SettingsException;
import io.charon.nodemanager.config.SettingsReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor;

/** Checks that the parts which only work together are installed, of one version, and configured. */
final class InstallationCheck {
  private InstallationCheck() {}

  static void check(Configuration configuration) throws SettingsException {
    List<String> problems = new ArrayList<>();
    InstalledParts.problem(InstallationCheck.class.getClassLoader()).ifPresent(problems::add);
    requireExecutor(configuration, problems);
    require(
        configuration,
        YarnConfiguration.NM_CONTAINERS_LAUNCHER_CLASS,
        CharonContainersLauncher.class,
        "otherwise stock YARN decides launches",
        problems);
    boolean service =
        Arrays.stream(configuration.getTrimmedStrings(YarnConfiguration.NM_AUX_SERVICES))
            .map(name -> String.format(YarnConfiguration.NM_AUX_SERVICE_FMT, name))
            .anyMatch(key -> CharonAuxiliaryService.class.getName().equals(configuration.get(key)));
    if (!service) {
      problems.add(
          YarnConfiguration.NM_AUX_SERVICES
              + " lists no service whose class is "
              + CharonAuxiliaryService.class.getName()
              + "; add 'charon' to it and set "
              + String.format(YarnConfiguration.NM_AUX_SERVICE_FMT, "charon")
              + ": this service runs the node's tick");
    }
    if (!problems.isEmpty()) {
      throw new SettingsException(problems, SettingsReader.failFast(configuration));
    }
  }

  private static void requireExecutor(Configuration configuration, List<String> problems) {
    Class<?> executor = configuration.getClass(YarnConfiguration.NM_CONTAINER_EXECUTOR, null);
    if (executor != null && CharonLinuxContainerExecutor.class.isAssignableFrom(executor)) {
      problems.addAll(LinuxIsolation.problems(configuration));
      return;
    }
    require(
        configuration,
        YarnConfiguration.NM_CONTAINER_EXECUTOR,
        executor != null && LinuxContainerExecutor.class.isAssignableFrom(executor)
            ? CharonLinuxContainerExecutor.class
            : CharonContainerExecutor.class,
        "otherwise containers get no cgroup, score or measurement",
        problems);
  }

  private static void require(
      Configuration configuration,
      String key,
      Class<?> wanted,
      String otherwise,
      List<String> problems) {
    Class<?> configured = configuration.getClass(key, null);
    if (configured == null || !wanted.isAssignableFrom(configured)) {
      problems.add(
          key
              + " is '"
              + configuration.get(key)
              + "'; set it to "
              + wanted.getName()
              + ": "
              + otherwise);
    }
  }
}
