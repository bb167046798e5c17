/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import io.charon.web.stop.ClusterStopFile;
import io.charon.web.stop.ReloadOrder;
import io.charon.web.stop.ReloadOutcome;
import io.charon.web.stop.ReloadOutcome.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.LocalConfigurationProvider;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * The rules in force, and their reload: the configuration is read again as a whole, and applied as
 * a whole or, if any of Charon's keys is invalid, not at all. The values of a reload are put into
 * the ResourceManager's own configuration: each activation makes new rules from it, so that they
 * survive a failover and back after which the file cannot be read. Not thread-safe, except {@link
 * #inForce}.
 */
final class ReloadableRules {
  private static final String SITE = "yarn-site.xml";

  private static final Set<String> WAIT_FOR_RESTART =
      Set.of(
          ClusterStopFile.KEY,
          PeakExchangeFilter.JOBS_KEY,
          PeakExchangeFilter.SAMPLES_KEY,
          ClusterPageServlet.PERIOD_KEY);

  private final Configuration held;
  private final Supplier<Configuration> files;
  private final Function<Settings, List<String>> warnings;
  private volatile BestEffortRules inForce;

  /**
   * Uses the configuration with which the ResourceManager started, and what was reloaded since.
   *
   * @param held the ResourceManager's configuration, the same object in each of its activations
   * @param files reads the configuration again
   * @param warnings returns the keys that have no effect
   */
  ReloadableRules(
      Configuration held,
      Supplier<Configuration> files,
      Function<Settings, List<String>> warnings) {
    this.held = held;
    this.files = files;
    this.warnings = warnings;
    inForce = BestEffortRules.from(new Settings(held));
  }

  /** Returns the current rules of the processor. */
  BestEffortRules inForce() {
    return inForce;
  }

  /** Reads the configuration again and returns the outcome. */
  ReloadOutcome reload(ReloadOrder order) {
    String provider =
        held.getTrimmed(
            YarnConfiguration.RM_CONFIGURATION_PROVIDER_CLASS,
            YarnConfiguration.DEFAULT_RM_CONFIGURATION_PROVIDER_CLASS);
    if (!provider.equals(LocalConfigurationProvider.class.getName())) {
      return ReloadOutcome.refused(
          order,
          List.of(
              "%s is %s: only files of this host can be read again. Cure: restart the ResourceManager, or fail over"
                  .formatted(YarnConfiguration.RM_CONFIGURATION_PROVIDER_CLASS, provider)));
    }
    try {
      return use(order, files.get());
    } catch (RuntimeException e) {
      // Hadoop's parser reports problems of the file in this way.
      return ReloadOutcome.refused(
          order,
          List.of("%s cannot be read: %s. Cure: correct it".formatted(SITE, e.getMessage())));
    }
  }

  private ReloadOutcome use(ReloadOrder order, Configuration wanted) {
    if (wanted.getResource(SITE) == null) {
      return ReloadOutcome.refused(
          order,
          List.of(
              "no %s on the ResourceManager's class path. Cure: restore the file".formatted(SITE)));
    }
    Settings settings = new Settings(wanted);
    BestEffortRules rules = BestEffortRules.from(settings);
    checkOthers(settings);
    if (!settings.refusals().isEmpty()) {
      return ReloadOutcome.refused(order, settings.refusals());
    }
    List<Change> changed = new ArrayList<>();
    List<Change> needRestart = new ArrayList<>();
    Settings before = new Settings(held);
    for (String key : keys(before, settings)) {
      if (WAIT_FOR_RESTART.contains(key)) {
        compare(key, before, settings, needRestart);
      } else {
        compare(key, before, settings, changed);
        hold(key, wanted, settings.source(key));
      }
    }
    inForce = rules;
    return new ReloadOutcome(order, 0, changed, needRestart, warnings.apply(settings), List.of());
  }

  private void hold(String key, Configuration wanted, String source) {
    String value = wanted.get(key);
    if (value == null) {
      held.unset(key);
    } else {
      held.set(key, value, source);
    }
  }

  /** Checks the keys that wait for a restart, so that an invalid value is reported now. */
  private static void checkOthers(Settings settings) {
    settings.file(ClusterStopFile.KEY);
    settings.number(PeakExchangeFilter.JOBS_KEY, 1, PeakExchangeFilter.MAX_JOBS);
    settings.number(PeakExchangeFilter.SAMPLES_KEY, 1, PeakExchangeFilter.MAX_SAMPLES);
    settings.number(
        ClusterPageServlet.PERIOD_KEY,
        ClusterPageServlet.MIN_PERIOD_MILLIS,
        ClusterPageServlet.MAX_PERIOD_MILLIS);
  }

  private static Set<String> keys(Settings before, Settings after) {
    Set<String> keys = new TreeSet<>(BestEffortProcessor.KEYS);
    keys.addAll(before.keysBelow(BestEffortLimits.PER_QUEUE_KEY));
    keys.addAll(after.keysBelow(BestEffortLimits.PER_QUEUE_KEY));
    return keys;
  }

  private static void compare(String key, Settings before, Settings after, List<Change> changes) {
    Change change = new Change(key, before.text(key), after.text(key));
    if (!change.from().equals(change.to())) {
      changes.add(change);
    }
  }
}
