/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.nodemanager.cgroup.CgroupController;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Determines which component creates the cgroups of LinuxContainerExecutor's containers: Charon if
 * YARN's configuration creates none ({@code own}); otherwise YARN or a container engine, and Charon
 * adopts their cgroups ({@code attach}).
 */
public final class LinuxIsolation {
  private static final String EXECUTOR = "io.charon.nodemanager.yarn.CharonLinuxContainerExecutor";
  private static final String HANDLER = YarnConfiguration.NM_LINUX_CONTAINER_RESOURCES_HANDLER;
  private static final String CHARONS = "io.charon.nodemanager.yarn.CharonResourcesHandler";
  private static final String YARNS_OWN =
      "org.apache.hadoop.yarn.server.nodemanager.util.DefaultLCEResourcesHandler";

  /**
   * A handler that YARN treats as {@link YarnConfiguration#NM_CPU_RESOURCE_ENABLED} and does not
   * load.
   */
  private static final String DEPRECATED_CPU_HANDLER =
      "org.apache.hadoop.yarn.server.nodemanager.util.CgroupsLCEResourcesHandler";

  private static final String RUNTIMES = YarnConfiguration.LINUX_CONTAINER_RUNTIME_ALLOWED_RUNTIMES;

  private LinuxIsolation() {}

  /**
   * Makes YARN load Charon's resources handler where it would otherwise load the default one, which
   * does nothing.
   */
  public static void installHandler(Configuration configuration) {
    String handler = configuration.get(HANDLER, YARNS_OWN);
    if (handler.equals(DEPRECATED_CPU_HANDLER)) {
      configuration.setBoolean(YarnConfiguration.NM_CPU_RESOURCE_ENABLED, true);
    }
    if (handler.equals(DEPRECATED_CPU_HANDLER) || handler.equals(YARNS_OWN)) {
      configuration.set(HANDLER, CHARONS);
    }
  }

  /**
   * Returns why Charon is not notified of the start of containers, with the cure; empty if it is.
   */
  public static List<String> problems(Configuration configuration) {
    String handler = configuration.get(HANDLER, YARNS_OWN);
    return List.of(YARNS_OWN, CHARONS, DEPRECATED_CPU_HANDLER).contains(handler)
        ? List.of()
        : List.of(
            HANDLER
                + " is '"
                + handler
                + "', with which Charon is not notified when containers start; remove the property");
  }

  /** Returns which component creates the cgroups with the configured executor. */
  public static Isolation of(Configuration configuration) {
    if (!EXECUTOR.equals(configuration.getTrimmed(YarnConfiguration.NM_CONTAINER_EXECUTOR))) {
      return Isolation.own();
    }
    List<String> makers = new ArrayList<>();
    Set<CgroupController> taken = EnumSet.noneOf(CgroupController.class);
    Map<String, Optional<CgroupController>> handlers = new LinkedHashMap<>();
    handlers.put(YarnConfiguration.NM_CPU_RESOURCE_ENABLED, Optional.of(CgroupController.CPU));
    handlers.put(
        YarnConfiguration.NM_MEMORY_RESOURCE_ENABLED, Optional.of(CgroupController.MEMORY));
    handlers.put(YarnConfiguration.NM_DISK_RESOURCE_ENABLED, Optional.of(CgroupController.IO));
    handlers.put(YarnConfiguration.NM_NETWORK_RESOURCE_ENABLED, Optional.empty());
    handlers.put(YarnConfiguration.NM_NETWORK_TAG_HANDLER_ENABLED, Optional.empty());
    handlers.forEach(
        (key, controller) -> {
          if (configuration.getBoolean(key, false)) {
            makers.add(key + " is true");
            controller.ifPresent(taken::add);
          }
        });
    if (configuration.get(HANDLER, YARNS_OWN).equals(DEPRECATED_CPU_HANDLER)) {
      taken.add(CgroupController.CPU);
      makers.add(HANDLER + " is '" + DEPRECATED_CPU_HANDLER + "'");
    }
    int before = makers.size();
    // Neither of these creates cgroups; YARN compares the names without case.
    addList(configuration, RUNTIMES, List.of("default", "javasandbox"), makers);
    boolean engine = makers.size() > before;
    addList(configuration, YarnConfiguration.NM_RESOURCE_PLUGINS, List.of(""), makers);
    return makers.isEmpty()
        ? Isolation.own()
        : new Isolation(makers, hierarchy(configuration), taken, engine);
  }

  private static void addList(
      Configuration configuration, String key, List<String> harmless, List<String> makers) {
    if (Arrays.stream(configuration.getTrimmedStrings(key))
        .anyMatch(value -> !harmless.contains(value.toLowerCase(Locale.ROOT)))) {
      makers.add(key + " is '" + configuration.get(key) + "'");
    }
  }

  /** Reads the hierarchy as YARN does. */
  private static String hierarchy(Configuration configuration) {
    return "/"
        + configuration
            .get(YarnConfiguration.NM_LINUX_CONTAINER_CGROUPS_HIERARCHY, "/hadoop-yarn")
            .replaceAll("^/+", "")
            .replaceAll("/+$", "");
  }
}
