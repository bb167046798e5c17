/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.mechanism.Change;
import java.util.OptionalDouble;

/**
 * Suppresses best-effort below a water line: it gets what production leaves of a share of the
 * node's cores (ACK's CPU suppression; the law and its parameters are koordinator's). Let {@code N}
 * be the node's cores, {@code theta} the line, {@code load} the larger of production's current use
 * and its mean over the last window, and {@code room = theta * N - load}:
 *
 * <ul>
 *   <li>{@code |room - limit| < 1 %} of N: nothing changes;
 *   <li>the limit is above the room: it falls to the room at once;
 *   <li>it is below: it grows by at most 10 % of N a second, if a whole window was observed.
 * </ul>
 *
 * <p>Our choices: the window, and the mean in addition to the current use, so that best-effort does
 * not fill production's cores during a pause. Best-effort always has its minimum, and no more until
 * the first window is full. A missing sample changes nothing; after unobserved time ({@link
 * ObservationWindow}) nothing grows until a window was observed again; after a whole window without
 * a sample the minimum applies. The capacity of an observation is the node's cores, not those on
 * which best-effort runs.
 */
public final class WaterLineRegulator {
  private final WaterLine line;
  private final double minimumCores;
  private final ObservationWindow watch;
  private final RollingMean load;
  private final StepRateLimiter pace = new StepRateLimiter();
  private boolean learned;
  private double limit;

  /**
   * Creates a controller without observations.
   *
   * @param line the water line below which best-effort stays
   * @param minimumCores the minimum of best-effort, cores
   * @param window the time over which production's mean load is taken; its factor is not used
   */
  public WaterLineRegulator(WaterLine line, double minimumCores, RangeSettings window) {
    this.line = line;
    this.minimumCores = minimumCores;
    this.watch = new ObservationWindow(window);
    this.load = new RollingMean(window.window().toNanos());
  }

  /**
   * Decides on the limit from one observation.
   *
   * @param seen production's use of CPU time and the node's cores
   * @return the CPU time of best-effort from now on, and the cause
   */
  public Suppression decide(Observation seen) {
    double before = limit;
    Cause cause = follow(seen);
    double cores = seen.capacity();
    double most = Math.max(Math.min(minimumCores, cores), line.line(cores));
    limit = Math.min(Math.max(limit, minimumCores), most);
    return new Suppression(
        Change.between(before, limit),
        limit,
        cause,
        seen,
        load.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(load.mean()),
        line);
  }

  private Cause follow(Observation seen) {
    ObservationWindow.Continuity continuity = watch.at(seen);
    if (continuity == ObservationWindow.Continuity.LOST) {
      learned = false;
      limit = 0;
    }
    if (continuity != ObservationWindow.Continuity.CONTINUED) {
      load.clear();
    }
    if (seen.value().isEmpty()) {
      return learned ? Cause.NO_SAMPLE : Cause.LEARNING;
    }
    double now = seen.value().getAsDouble();
    if (continuity == ObservationWindow.Continuity.CONTINUED) {
      load.add(watch.elapsedNanos(), now);
    }
    learned |= load.isFull();
    return learned ? move(seen, now) : Cause.LEARNING;
  }

  private Cause move(Observation seen, double now) {
    double cores = seen.capacity();
    double room = line.line(cores) - (load.isEmpty() ? now : Math.max(now, load.mean()));
    Cause steady = load.isFull() ? Cause.WATER_LINE : Cause.LEARNING;
    if (Math.abs(room - limit) < WaterLine.deadBand(cores)) {
      return steady;
    }
    if (room < limit) {
      limit = room;
      return Cause.WATER_LINE;
    }
    if (load.isFull() && pace.allows(seen.nanos())) {
      limit = Math.min(room, limit + WaterLine.step(cores));
      pace.grew(seen.nanos());
    }
    return load.isFull() && limit < room ? Cause.GROWING : steady;
  }
}
