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
 * The cores of a node and who runs on them.
 *
 * @param usable those that best-effort could be given: online, and not kept from the common parent
 *     of all containers
 * @param bestEffort those that it may run on now
 * @param pinned those that foreground is pinned to; empty while nobody asks or if that cannot be
 *     found out
 * @param busy how busy each core was, 0 to 1, by its number; without those where it is not known
 * @param missing why something is not known; empty if all is
 * @param topology what they share, as far as somebody asked
 */
public record CoreUse(
    Cores usable,
    Cores bestEffort,
    Optional<Cores> pinned,
    Map<Integer, Double> busy,
    Optional<String> missing,
    Topology topology) {
  /** Where nobody asked what they share. */
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
   * Nothing is known.
   *
   * @param reason why
   */
  public static CoreUse missing(String reason) {
    return new CoreUse(Cores.none(), Cores.none(), Optional.empty(), Map.of(), Optional.of(reason));
  }

  /** The same on a machine of which that is known. */
  public CoreUse on(Topology known) {
    return new CoreUse(usable, bestEffort, pinned, busy, missing, known);
  }

  /**
   * The usable cores among those that the operator gave best-effort; all that are usable, if none
   * of those is.
   */
  public Cores usableOf(Optional<Cores> split) {
    return split.map(usable::within).filter(cores -> !cores.isEmpty()).orElse(usable);
  }

  /** How many cores best-effort may run on now. */
  public Measurement bestEffortCount() {
    return bestEffort.isEmpty()
        ? Measurement.missing(missing.orElse("no core is known"))
        : Measurement.of(bestEffort.count());
  }

  /** How many cores foreground is pinned to. */
  public Measurement pinnedCount() {
    return pinned
        .map(cores -> Measurement.of(cores.count()))
        .orElseGet(() -> Measurement.missing(missing.orElse("nobody asked")));
  }

  /**
   * How much the foreground uses the cores that it is not pinned to: what it uses altogether, less
   * all that was used on the pinned ones, where best-effort does not run.
   *
   * @param foreground what it uses altogether, cores
   */
  public Measurement foregroundElsewhere(Measurement foreground) {
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
