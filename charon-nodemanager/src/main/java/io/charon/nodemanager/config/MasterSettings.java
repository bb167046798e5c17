/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import io.charon.core.scheduler.BestEffortRule;
import io.charon.core.scheduler.QueueNames;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * Treatment of the ApplicationMasters of best-effort applications.
 *
 * @param weightPercent their CPU weight, percent of the weight of a production container, 1 to 99
 * @param idle whether they get only CPU time that no production container wants, where the kernel
 *     can do that; the weight then applies to those that are starved
 * @param rule the rule by which applications are best-effort
 */
public record MasterSettings(int weightPercent, boolean idle, BestEffortRule rule) {
  private static final String RESOURCE_MANAGER_DEFAULTS = "charon-resourcemanager-site.xml";

  /** Checks that no component is null. */
  public MasterSettings {
    Objects.requireNonNull(rule, "rule");
  }

  /**
   * Returns whether an application is best-effort. A report of the ResourceManager may name a queue
   * by its leaf alone. YARN accepts that only if the leaf is unique, so it means the queue whose
   * full path the configuration names.
   *
   * @param tags the application's tags, in any case
   * @param queue the full path of its queue, or the leaf
   */
  public boolean isBestEffort(Set<String> tags, String queue) {
    boolean leafOnly = queue.indexOf('.') < 0;
    return rule.reason(tags, queue).isPresent()
        || (leafOnly && rule.queues().stream().map(QueueNames::leaf).anyMatch(queue::equals));
  }

  /**
   * Reads the settings, for mode {@code enforce} only: the other modes are baselines or leave YARN
   * as it is.
   */
  static Optional<MasterSettings> read(Keys keys, Mode mode, boolean cgroups) {
    int percent =
        keys.number("yarn.nodemanager.charon.cgroup.best-effort-master-weight-percent", 1, 100);
    boolean idle = keys.flag("yarn.nodemanager.charon.cgroup.best-effort-master-idle.enabled");
    BestEffortRule rule =
        new BestEffortRule(
            resourceManagerNames(keys.yarn(), "yarn.resourcemanager.charon.best-effort.tags"),
            resourceManagerNames(keys.yarn(), "yarn.resourcemanager.charon.best-effort.queues"));
    boolean enabled =
        keys.yarn()
            .getTrimmed("yarn.resourcemanager.charon.best-effort.enabled", "false")
            .equals("true");
    return percent < 100 && enabled && cgroups && mode == Mode.ENFORCE
        ? Optional.of(new MasterSettings(percent, idle, rule))
        : Optional.empty();
  }

  /** Reads the names as the ResourceManager does. */
  private static Set<String> resourceManagerNames(Configuration configuration, String key) {
    Configuration source = configuration;
    if (configuration.getRaw(key) == null) {
      source = new Configuration(false);
      source.addResource(MasterSettings.class.getResource(RESOURCE_MANAGER_DEFAULTS));
    }
    return Arrays.stream(source.getTrimmedStrings(key))
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }
}
