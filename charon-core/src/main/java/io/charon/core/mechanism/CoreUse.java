/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.mechanism;

import io.charon.core.cpuset.Cores;
import io.charon.core.cpuset.Topology;
import java.util.Map;
import java.util.Optional;

/**
 * The cores of a node and the processes that are restricted to them.
 *
 * @param usable the cores that best-effort could be given: online and not excluded from the common
 *     parent of all containers
 * @param bestEffort the cores on which best-effort may run now
 * @param pinned the cores to which the foreground is pinned; empty if no mechanism needs them or if
 *     they cannot be determined
 * @param busy the utilization of each core, 0 to 1, by core number; unknown cores are left out
 * @param missing why something is not known; empty if everything is known
 * @param topology the hardware that the cores share, if a mechanism needs it
 */
public record CoreUse(
    Cores usable,
    Cores bestEffort,
    Optional<Cores> pinned,
    Map<Integer, Double> busy,
    Optional<String> missing,
    Topology topology) {
  /** Creates an instance with an unknown topology. */
  public CoreUse(
      Cores usable,
      Cores bestEffort,
      Optional<Cores> pinned,
      Map<Integer, Double> busy,
      Optional<String> missing) {
    this(usable, bestEffort, pinned, busy, missing, Topology.unknown());
  }

  /** Copies the map. */
  public CoreUse {
    busy = Map.copyOf(busy);
  }

  /**
   * Returns an instance in which nothing is known.
   *
   * @param reason why nothing is known
   */
  public static CoreUse missing(String reason) {
    return new CoreUse(Cores.none(), Cores.none(), Optional.empty(), Map.of(), Optional.of(reason));
  }

  /** Returns a copy with the given topology. */
  public CoreUse on(Topology known) {
    return new CoreUse(usable, bestEffort, pinned, busy, missing, known);
  }

  /**
   * Returns the usable cores among those that the operator assigned to best-effort, or all usable
   * cores if none of the assigned ones is usable.
   */
  public Cores usableOf(Optional<Cores> split) {
    return split.map(usable::within).filter(cores -> !cores.isEmpty()).orElse(usable);
  }

  /** Returns the number of cores on which best-effort may run now. */
  public Measurement bestEffortCount() {
    return bestEffort.isEmpty()
        ? Measurement.missing(missing.orElse("no core is known"))
        : Measurement.of(bestEffort.count());
  }

  /** Returns the number of cores to which the foreground is pinned. */
  public Measurement pinnedCount() {
    return pinned
        .map(cores -> Measurement.of(cores.count()))
        .orElseGet(() -> Measurement.missing(missing.orElse("the pinned cores were not read")));
  }

  /**
   * Returns how much the foreground uses the cores to which it is not pinned: its total use, less
   * everything that was used on the pinned cores, where best-effort does not run.
   *
   * @param foreground the total use of the foreground, in cores
   */
  public Measurement foregroundOnUnpinnedCores(Measurement foreground) {
    if (pinned.isEmpty()) {
      return pinnedCount();
    }
    double onPinned = 0;
    for (int number : pinned.get().numbers()) {
      onPinned += busy.getOrDefault(number, 0.0);
    }
    return foreground.minus(Measurement.of(onPinned));
  }
}
