/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.launch;

import io.charon.nodemanager.cgroup.ContainerClass;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The launches of one kind of container by one pair of executors, round by round. */
public final class LaunchSeries {
  private final LaunchExecutor executor;
  private final ContainerClass containers;
  private final Map<LaunchVariant, List<Double>> millis = new EnumMap<>(LaunchVariant.class);
  private int started;
  private int outside;

  /** Of nothing yet. */
  LaunchSeries(LaunchExecutor executor, ContainerClass containers) {
    this.executor = executor;
    this.containers = containers;
    for (LaunchVariant variant : LaunchVariant.values()) {
      millis.put(variant, new ArrayList<>());
    }
  }

  /**
   * Adds a round.
   *
   * @param round milliseconds of each variant
   */
  void add(Map<LaunchVariant, Double> round) {
    round.forEach((variant, value) -> millis.get(variant).add(value));
  }

  /**
   * Charon started one, also in a round whose times do not count.
   *
   * @param inside whether it was in its cgroups
   */
  void addStart(boolean inside) {
    started++;
    outside += inside ? 0 : 1;
  }

  /** Which pair. */
  LaunchExecutor executor() {
    return executor;
  }

  /** Which kind. */
  ContainerClass containers() {
    return containers;
  }

  /** How often each variant was measured. */
  int rounds() {
    return millis(LaunchVariant.STOCK).size();
  }

  /** How many Charon started. */
  int started() {
    return started;
  }

  /** How many of these were not in their cgroups. */
  int outside() {
    return outside;
  }

  /** Milliseconds of a variant; equal places are of one round. */
  List<Double> millis(LaunchVariant variant) {
    return Collections.unmodifiableList(millis.get(variant));
  }

  /** What it is, in words. */
  String name() {
    return executor.label() + " executor, " + containers.directoryName();
  }
}
