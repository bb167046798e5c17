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
  /** Three keys with this prefix tell both daemons which applications are best-effort. */
  private static final String RESOURCE_MANAGER_PREFIX = "yarn.resourcemanager.charon.";

  private static final String BEST_EFFORT_ENABLED = RESOURCE_MANAGER_PREFIX + "best-effort.enabled";

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
        keys.number(SettingsReader.PREFIX + "cgroup.best-effort-master-weight-percent", 1, 100);
    boolean idle = keys.flag(SettingsReader.PREFIX + "cgroup.best-effort-master-idle.enabled");
    BestEffortRule rule =
        new BestEffortRule(
            resourceManagerNames(keys.yarn(), "best-effort.tags"),
            resourceManagerNames(keys.yarn(), "best-effort.queues"));
    boolean enabled = keys.yarn().getTrimmed(BEST_EFFORT_ENABLED, "false").equals("true");
    return percent < 100 && enabled && cgroups && mode == Mode.ENFORCE
        ? Optional.of(new MasterSettings(percent, idle, rule))
        : Optional.empty();
  }

  /** Reads the names as the ResourceManager does. */
  private static Set<String> resourceManagerNames(Configuration configuration, String key) {
    String full = RESOURCE_MANAGER_PREFIX + key;
    Configuration source = configuration;
    if (configuration.getRaw(full) == null) {
      source = new Configuration(false);
      source.addResource(MasterSettings.class.getResource(RESOURCE_MANAGER_DEFAULTS));
    }
    return Arrays.stream(source.getTrimmedStrings(full))
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }
}
