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
 * How ApplicationMasters of best-effort applications are treated.
 *
 * @param weightPercent their CPU weight as a share of a production container's, 1 to 99
 * @param rule which applications are best-effort
 */
public record MasterSettings(int weightPercent, BestEffortRule rule) {
  /** Three keys there say for both daemons which applications are best-effort. */
  private static final String RESOURCE_MANAGER_PREFIX = "yarn.resourcemanager.charon.";

  private static final String BEST_EFFORT_ENABLED = RESOURCE_MANAGER_PREFIX + "best-effort.enabled";

  private static final String RESOURCE_MANAGER_DEFAULTS = "charon-resourcemanager-site.xml";

  /** Checks that nothing is missing. */
  public MasterSettings {
    Objects.requireNonNull(rule, "rule");
  }

  /**
   * Whether an application is best-effort. A report of the ResourceManager may name a queue by its
   * leaf alone; YARN takes that only where one queue has that leaf, so it means the one whose full
   * path the configuration names.
   *
   * @param tags the application's, in any case
   * @param queue its full path or its leaf
   */
  public boolean isBestEffort(Set<String> tags, String queue) {
    boolean leafOnly = queue.indexOf('.') < 0;
    return rule.reason(tags, queue).isPresent()
        || (leafOnly && rule.queues().stream().map(QueueNames::leaf).anyMatch(queue::equals));
  }

  /** For mode enforce only: the others are baselines, or leave YARN as it is. */
  static Optional<MasterSettings> read(Keys keys, Mode mode, boolean cgroups) {
    int percent =
        keys.number(SettingsReader.PREFIX + "cgroup.best-effort-master-weight-percent", 1, 100);
    BestEffortRule rule =
        new BestEffortRule(
            resourceManagerNames(keys.yarn(), "best-effort.tags"),
            resourceManagerNames(keys.yarn(), "best-effort.queues"));
    boolean enabled = keys.yarn().getTrimmed(BEST_EFFORT_ENABLED, "false").equals("true");
    return percent < 100 && enabled && cgroups && mode == Mode.ENFORCE
        ? Optional.of(new MasterSettings(percent, rule))
        : Optional.empty();
  }

  /** As the ResourceManager reads them. */
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
