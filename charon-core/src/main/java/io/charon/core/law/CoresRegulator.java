/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.cpuset.CoreOrder;
import io.charon.core.cpuset.Cores;
import io.charon.core.cpuset.Topology;
import io.charon.core.mechanism.Change;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Chooses the cores on which best-effort runs: those that no pinned foreground uses (Scavenger,
 * section 4.5). With {@link CoresSettings#followLoad} it also leaves cores to foreground that may
 * run anywhere, according to its load (our design, modelled on ByteDance's report of its own
 * controller). Let {@code free} be the number of cores to which nothing is pinned, and {@code load}
 * the foreground's mean use of them over the last window:
 *
 * <ul>
 *   <li>{@code room = free - load - headroom};
 *   <li>if best-effort has more cores than {@code floor(room)}, it shrinks to that at once;
 *   <li>if it has fewer than {@code floor(room - 0.5)}, it grows to that, provided that a whole
 *       window was observed. (The half core of hysteresis prevents a fluctuating load from moving
 *       cores.)
 * </ul>
 *
 * <p>With a {@link WaterLine}, the cores above the line stay free if they are more than the
 * headroom; the load is the larger of the mean and the current use; and best-effort grows by at
 * most 10 % of the free cores a second, but by at least a physical core (koordinator's suppression,
 * plus the window and the half core from above).
 *
 * <p>Best-effort keeps its cores as far as possible. Of further cores it gets the idlest first,
 * then the lowest; it returns the busiest first, then the highest. Differences of less than a tenth
 * of a core count as equal. If the topology of the machine is known, best-effort gets whole
 * physical cores, in the order of {@link CoreOrder}, and their number is rounded down accordingly.
 * {@link CoresSettings#minimum} always applies: if too few cores are free, the rest are pinned
 * ones, because a cpuset cannot be empty.
 *
 * <p>If the pinned cores are unknown, best-effort does not grow. After unobserved time ({@link
 * ObservationWindow}) it does not grow until a window was observed again; after a whole window
 * without a sample it falls to the minimum.
 */
public final class CoresRegulator {
  /** Hysteresis between growing and shrinking, in cores. Our choice. */
  private static final double HYSTERESIS_CORES = 0.5;

  private final CoresSettings settings;
  private final ObservationWindow watch;
  private final RollingMean load;
  private final StepRateLimiter pace = new StepRateLimiter();
  private OptionalDouble now = OptionalDouble.empty();
  private Topology topology = Topology.unknown();
  private Cores usable = Cores.none();
  private Cores pinned = Cores.none();
  private Cores held = Cores.none();
  private boolean learned;

  /**
   * Creates a controller without observations.
   *
   * @param settings whether and how the load is followed
   */
  public CoresRegulator(CoresSettings settings) {
    this.settings = settings;
    this.watch = new ObservationWindow(new RangeSettings(settings.window(), 0));
    this.load = new RollingMean(settings.window().toNanos());
  }

  /**
   * Decides on the cores from one observation.
   *
   * @param observation the current observation; if it has no usable core, the previous ones apply
   * @return the cores from now on, their number as the limit, and the cause
   */
  public Decision decide(CoresObservation observation) {
    usable = observation.usable().isEmpty() ? usable : observation.usable();
    topology = observation.topology();
    observation.pinned().ifPresent(known -> pinned = known);
    Cores free = usable.minus(pinned);
    int floor = Math.min(settings.minimum(), usable.count());
    Cause cause = settings.followLoad() ? followLoad(observation.load()) : Cause.UNPINNED;
    int wanted =
        switch (cause) {
          case UNPINNED -> free.count();
          case LEARNING -> learned ? Math.min(shrunk(free), held.count()) : floor;
          case NO_SAMPLE -> held.count();
          default -> followed(free, observation.load().nanos());
        };
    if (observation.pinned().isEmpty()) {
      wanted = Math.min(wanted, held.count());
      cause = Cause.NO_SAMPLE;
    } else if (free.count() < floor) {
      cause = Cause.ALL_PINNED;
    }
    Cores before = held;
    held =
        new CoreOrder(topology, settings.placement(), observation.busy())
            .choose(usable, free, held, floor, Math.max(floor, Math.min(wanted, free.count())));
    return new Decision(
        action(before, held),
        held.count(),
        cause,
        observation.load(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(
            new CoreChoice(
                held,
                usable,
                pinned,
                load.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(load.mean()),
                settings.followLoad() ? settings.waterLine() : Optional.empty(),
                topology)));
  }

  /** Adds the load to the mean, and returns how the mean may be used. */
  private Cause followLoad(Observation seen) {
    ObservationWindow.Continuity continuity = watch.at(seen);
    now = seen.value();
    if (continuity == ObservationWindow.Continuity.LOST) {
      learned = false;
    }
    if (continuity != ObservationWindow.Continuity.CONTINUED) {
      load.clear();
    }
    if (seen.value().isEmpty()) {
      return learned ? Cause.NO_SAMPLE : Cause.LEARNING;
    }
    if (continuity == ObservationWindow.Continuity.CONTINUED) {
      load.add(watch.elapsedNanos(), seen.value().getAsDouble());
    }
    learned |= load.isFull();
    return load.isFull() ? Cause.FOLLOWING : Cause.LEARNING;
  }

  private double room(Cores free) {
    double mean = load.isEmpty() ? 0 : load.mean();
    return settings
        .waterLine()
        .map(
            line ->
                free.count()
                    - Math.max(mean, now.orElse(mean))
                    - Math.max(settings.headroomCores(), line.headroom(free.count())))
        .orElse(free.count() - mean - settings.headroomCores());
  }

  /**
   * Returns the number of cores for which there is room; all current cores if nothing was observed
   * since an interruption.
   */
  private int shrunk(Cores free) {
    boolean unseen = load.isEmpty() && (settings.waterLine().isEmpty() || now.isEmpty());
    return unseen ? held.count() : (int) Math.floor(room(free));
  }

  private int followed(Cores free, long nanos) {
    int most = shrunk(free);
    int grown = (int) Math.floor(room(free) - HYSTERESIS_CORES);
    if (settings.waterLine().isPresent() && grown > held.count()) {
      grown = paced(grown, free, nanos);
    }
    return Math.min(most, Math.max(grown, held.count()));
  }

  private int paced(int grown, Cores free, long nanos) {
    if (!pace.allows(nanos)) {
      return held.count();
    }
    pace.grew(nanos);
    // A step of less than a physical core would be rounded down to zero.
    int step = Math.max(topology.maxThreadsPerCore(free), (int) WaterLine.step(free.count()));
    return Math.min(grown, held.count() + step);
  }

  /** A lost core has to be left at once, so even an exchange of cores is a tightening. */
  private static Change action(Cores before, Cores after) {
    if (!after.containsAll(before)) {
      return Change.TIGHTEN;
    }
    return after.equals(before) ? Change.KEEP : Change.WIDEN;
  }
}
