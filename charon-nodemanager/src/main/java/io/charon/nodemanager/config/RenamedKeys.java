/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.config;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Former names of keys. A former name has no effect, is reported as an error that names the new
 * one, and the node only observes, so that an upgrade neither loses a setting silently nor acts
 * without it.
 */
final class RenamedKeys {
  private RenamedKeys() {}

  /** Returns the former names, without the common prefix. */
  static Set<String> formerNames() {
    return newNames().keySet();
  }

  /**
   * Returns the full new name of a key.
   *
   * @param key full name of a key; empty is returned if it is no former name
   */
  static Optional<String> newName(String key) {
    return Optional.of(key)
        .filter(name -> name.startsWith(SettingsReader.PREFIX))
        .map(name -> newNames().get(name.substring(SettingsReader.PREFIX.length())))
        .map(SettingsReader.PREFIX::concat);
  }

  /** The new names by the former ones, without the common prefix. */
  private static Map<String, String> newNames() {
    return Map.ofEntries(
        Map.entry("stop.cluster-period-ms", "stop.cluster.period-ms"),
        Map.entry("scheduler.longest-wait-ms", "scheduler.max-wait-ms"),
        Map.entry("scheduler.delay-ms", "scheduler.launch-backoff-ms"),
        Map.entry("scheduler.profile-window-samples", "scheduler.profile.window-samples"),
        Map.entry("scheduler.profile-percentile", "scheduler.profile.percentile"),
        Map.entry("scheduler.profile-half-life-ms", "scheduler.profile.half-life-ms"),
        Map.entry("scheduler.profile-file", "scheduler.profile.file"),
        Map.entry(
            "scheduler.profile-application-names", "scheduler.profile.application-names.enabled"),
        Map.entry("scheduler.share-peaks", "scheduler.share-peaks.enabled"),
        Map.entry("scheduler.share-peaks-period-ms", "scheduler.share-peaks.period-ms"),
        Map.entry("cgroup.every-mode", "cgroup.every-mode.enabled"),
        Map.entry("killer.kernel-enabled", "killer.kernel.enabled"),
        Map.entry("killer.report-as-preempted", "killer.report-as-preempted.enabled"),
        Map.entry("pause.mode", "freeze.mode"),
        Map.entry("pause.threshold-percent", "freeze.threshold-percent"),
        Map.entry("pause.resume-percent", "freeze.thaw-percent"),
        Map.entry("pause.limit-ms", "freeze.timeout-ms"),
        Map.entry("regulator.memory-mode", "regulator.memory.mode"),
        Map.entry("regulator.memory-window-ms", "regulator.memory.window-ms"),
        Map.entry("regulator.memory-std-factor", "regulator.memory.std-factor"),
        Map.entry("regulator.cpu-mode", "regulator.cpu.mode"),
        Map.entry("regulator.cpu-signal", "regulator.cpu.signal"),
        Map.entry("regulator.cpu-window-ms", "regulator.cpu.window-ms"),
        Map.entry("regulator.cpu-std-factor", "regulator.cpu.std-factor"),
        Map.entry("regulator.cpu-minimum-cores", "regulator.cpu.minimum-cores"),
        Map.entry("regulator.cpu-maximum-cores", "regulator.cpu.maximum-cores"),
        Map.entry("regulator.cpu-start-cores", "regulator.cpu.start-cores"),
        Map.entry("regulator.cpu-water-line-percent", "regulator.cpu.water-line-percent"),
        Map.entry("regulator.cpu-limit", "regulator.cpu.limit"),
        Map.entry("regulator.cores-mode", "regulator.cores.mode"),
        Map.entry("regulator.cores-follow-load", "regulator.cores.follow-load.enabled"),
        Map.entry("regulator.cores-minimum", "regulator.cores.minimum-cores"),
        Map.entry("regulator.cores-headroom-cores", "regulator.cores.headroom-cores"),
        Map.entry("regulator.cores-window-ms", "regulator.cores.window-ms"),
        Map.entry("regulator.cores-placement", "regulator.cores.placement"),
        Map.entry("regulator.network-mode", "regulator.network.mode"),
        Map.entry("regulator.network-limit", "regulator.network.limit"),
        Map.entry("regulator.network-window-ms", "regulator.network.window-ms"),
        Map.entry("regulator.network-std-factor", "regulator.network.std-factor"),
        Map.entry("regulator.network-device", "regulator.network.device"),
        Map.entry("regulator.network-link-mbit", "regulator.network.link-mbit"),
        Map.entry("proactive-reclaim.least-mb", "proactive-reclaim.minimum-mb"));
  }
}
