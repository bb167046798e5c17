/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Who makes the cgroups of containers that LinuxContainerExecutor runs: Charon, where YARN makes
 * none. Where YARN or a container engine does, Charon would have to adopt theirs, which it does not
 * yet.
 */
public final class LinuxIsolation {
  private static final String HANDLER = YarnConfiguration.NM_LINUX_CONTAINER_RESOURCES_HANDLER;
  private static final String CHARONS = "io.charon.nodemanager.yarn.CharonResourcesHandler";
  private static final String YARNS_OWN =
      "org.apache.hadoop.yarn.server.nodemanager.util.DefaultLCEResourcesHandler";
  private static final String NOT_SERVED =
      ": then others make the cgroups of containers, which Charon cannot adopt yet; ";

  private LinuxIsolation() {}

  /** Has YARN load Charon's handler where it would load the one that does nothing. */
  public static void handOver(Configuration configuration) {
    if (configuration.get(HANDLER, YARNS_OWN).equals(YARNS_OWN)) {
      configuration.set(HANDLER, CHARONS);
    }
  }

  /** Why Charon cannot make the cgroups, with what to set; empty if it can. */
  public static List<String> problems(Configuration configuration) {
    List<String> problems = new ArrayList<>();
    List<String> switches =
        List.of(
            YarnConfiguration.NM_CPU_RESOURCE_ENABLED,
            YarnConfiguration.NM_MEMORY_RESOURCE_ENABLED,
            YarnConfiguration.NM_DISK_RESOURCE_ENABLED,
            YarnConfiguration.NM_NETWORK_RESOURCE_ENABLED,
            YarnConfiguration.NM_NETWORK_TAG_HANDLER_ENABLED);
    for (String key : switches) {
      if (configuration.getBoolean(key, false)) {
        problems.add(key + " is true" + NOT_SERVED + "set it to false");
      }
    }
    String handler = configuration.get(HANDLER, YARNS_OWN);
    if (!List.of(YARNS_OWN, CHARONS).contains(handler)) {
      problems.add(HANDLER + " is '" + handler + "'" + NOT_SERVED + "remove it");
    }
    Map<String, String> lists =
        Map.of(
            YarnConfiguration.LINUX_CONTAINER_RUNTIME_ALLOWED_RUNTIMES,
            "default",
            YarnConfiguration.NM_RESOURCE_PLUGINS,
            "");
    lists.forEach(
        (key, allowed) -> {
          String[] values = configuration.getTrimmedStrings(key);
          if (Arrays.stream(values).anyMatch(value -> !value.equals(allowed))) {
            problems.add(
                key
                    + " is '"
                    + configuration.get(key)
                    + "'"
                    + NOT_SERVED
                    + (allowed.isEmpty() ? "remove it" : "set it to " + allowed));
          }
        });
    return problems;
  }
}
