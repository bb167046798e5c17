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
 * Says which cores best-effort runs on: those that no pinned foreground uses (Scavenger, section
 * 4.5). With {@link CoresSettings#followLoad} it also leaves cores to foreground that may run
 * anywhere, by its load (ours, after what ByteDance reports of its own controller). Let {@code
 * free} be how many cores are not pinned, and {@code load} the foreground's mean use of them over
 * the last window:
 *
 * <ul>
 *   <li>{@code room = free - load - headroom};
 *   <li>best-effort has more cores than {@code floor(room)}: it falls to that at once;
 *   <li>it has fewer than {@code floor(room - 0.5)}: it grows to that, if a whole window was
 *       watched. (Half a core between the two, so that a load that hovers moves no core.)
 * </ul>
 *
 * <p>With a {@link WaterLine} what is above the line of the free cores stays free, if that is more
 * than the headroom; the load is the higher of the mean and what is used at the moment; and
 * best-effort grows by at most 10 % of the free cores a second, and by a physical core at least
 * (koordinator's suppression, with the window and the half core of above).
 *
 * <p>It keeps the cores that it has as far as it may. Of others it takes the idlest first and then
 * the lowest, and it gives the busiest back first and then the highest; what differs by less than a
 * tenth of a core is equally busy. Where the topology of the machine is known, it takes whole
 * physical cores, of the places that {@link CoreOrder} prefers, and their number is rounded down to
 * such. {@link CoresSettings#minimum} holds in any case: where too few cores are free, the rest are
 * pinned ones, because a cpuset cannot be empty.
 *
 * <p>Not known who is pinned: it keeps its cores. Unseen time ({@link Watch}): no growth until a
 * window was watched again; a whole window without a sample: the minimum.
 */
public final class CoresRegulator {
  /** Between growing and shrinking, cores (ours). */
  private static final double HYSTERESIS_CORES = 0.5;

  private final CoresSettings settings;
  private final Watch watch;
  private final RollingMean load;
  private final Pace pace = new Pace();
  private OptionalDouble now = OptionalDouble.empty();
  private Topology topology = Topology.unknown();
  private Cores usable = Cores.none();
  private Cores pinned = Cores.none();
  private Cores held = Cores.none();
  private boolean learned;

  /**
   * A regulator that has seen nothing yet.
   *
   * @param settings whether and how the load is followed
   */
  public CoresRegulator(CoresSettings settings) {
    this.settings = settings;
    this.watch = new Watch(new RangeSettings(settings.window(), 0));
    this.load = new RollingMean(settings.window().toNanos());
  }

  /**
   * Takes one observation.
   *
   * @param observation what is seen now; without any usable core, those of before count
   * @return the cores from now on, their number as the limit, and why
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

  /** Takes the load into its mean, and says what that is good for. */
  private Cause followLoad(Observation seen) {
    Watch.Continuity continuity = watch.at(seen);
    now = seen.value();
    if (continuity == Watch.Continuity.LOST) {
      learned = false;
    }
    if (continuity != Watch.Continuity.CONTINUED) {
      load.clear();
    }
    if (seen.value().isEmpty()) {
      return learned ? Cause.NO_SAMPLE : Cause.LEARNING;
    }
    if (continuity == Watch.Continuity.CONTINUED) {
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

  /** How many cores there is room for; all that it has while nothing was seen again. */
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
    // A step of less than a physical core would be rounded down to none.
    int step = Math.max(topology.mostThreads(free), (int) WaterLine.step(free.count()));
    return Math.min(grown, held.count() + step);
  }

  /** A core that is lost must be left at once, whatever is gained. */
  private static Change action(Cores before, Cores after) {
    if (!after.containsAll(before)) {
      return Change.TIGHTEN;
    }
    return after.equals(before) ? Change.KEEP : Change.WIDEN;
  }
}
