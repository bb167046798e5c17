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

/** The launches of one kind of container by one pair of executors, by round. */
public final class LaunchSeries {
  private final LaunchExecutor executor;
  private final ContainerClass containers;
  private final Map<LaunchVariant, List<Double>> millis = new EnumMap<>(LaunchVariant.class);
  private int started;
  private int outside;

  /** Creates an empty series. */
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
   * @param round time of each variant, milliseconds
   */
  void add(Map<LaunchVariant, Double> round) {
    round.forEach((variant, value) -> millis.get(variant).add(value));
  }

  /**
   * Counts a start by Charon, including those of rounds whose times do not count.
   *
   * @param inside whether the container was in its cgroups
   */
  void addStart(boolean inside) {
    started++;
    outside += inside ? 0 : 1;
  }

  /** Returns the pair of executors. */
  LaunchExecutor executor() {
    return executor;
  }

  /** Returns the kind of containers. */
  ContainerClass containers() {
    return containers;
  }

  /** Returns the number of measurements of each variant. */
  int rounds() {
    return millis(LaunchVariant.STOCK).size();
  }

  /** Returns the number of containers that Charon started. */
  int started() {
    return started;
  }

  /** Returns the number of these containers that were not in their cgroups. */
  int outside() {
    return outside;
  }

  /** Returns the times of a variant in milliseconds; equal positions belong to the same round. */
  List<Double> millis(LaunchVariant variant) {
    return Collections.unmodifiableList(millis.get(variant));
  }

  /** Returns a description of the series. */
  String name() {
    return executor.label() + " executor, " + containers.directoryName();
  }
}
