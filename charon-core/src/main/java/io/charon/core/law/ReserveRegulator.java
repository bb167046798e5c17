/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.mechanism.Change;
import java.time.Duration;
import java.util.Optional;

/**
 * Reserves {@code mu + c * sigma} of a resource for the foreground; best-effort may use {@code
 * capacity - (mu + c * sigma)} (Scavenger, section 4.1). The observed value is the foreground's
 * working set plus its swap, in bytes (section 4.2), or its traffic in one direction, in bytes per
 * second (section 4.3).
 *
 * <p>The range is latched, it does not roll:
 *
 * <ul>
 *   <li>until the first window is full, best-effort gets nothing;
 *   <li>use {@code m > mu + c * sigma} is a violation: {@code mu := m} at once, sigma stays;
 *   <li>{@code m < mu - c * sigma} in every sample of w consecutive seconds is a phase change: mu
 *       and sigma are computed again from those seconds;
 *   <li>otherwise nothing changes.
 * </ul>
 *
 * <p>Our choices where the paper is silent: a missing sample changes nothing; unobserved time
 * ({@link ObservationWindow}) restarts the w seconds; after a whole window without a sample the law
 * starts from nothing; a reserve above the capacity leaves nothing to best-effort. A sample
 * represents the time since the previous one, so w seconds at one sample per second are w samples.
 */
public final class ReserveRegulator implements Regulator {
  private final ObservationWindow watch;
  private Optional<NormalRange> range = Optional.empty();
  private double limit;

  /**
   * Creates a controller without observations.
   *
   * @param settings how the range is learned
   */
  public ReserveRegulator(RangeSettings settings) {
    this.watch = new ObservationWindow(settings);
  }

  /** Returns the paper's settings for memory: w = 60 s, c = 2 (Scavenger, section 6.1). */
  public static RangeSettings memoryDefaults() {
    return new RangeSettings(Duration.ofSeconds(60), 2);
  }

  /** Returns the paper's settings for the network: w = 30 s, c = 2 (Scavenger, section 6.1). */
  public static RangeSettings networkDefaults() {
    return new RangeSettings(Duration.ofSeconds(30), 2);
  }

  @Override
  public Decision decide(Observation observation) {
    ObservationWindow.Continuity continuity = watch.at(observation);
    if (continuity == ObservationWindow.Continuity.LOST) {
      range = Optional.empty();
    }
    if (continuity != ObservationWindow.Continuity.CONTINUED) {
      watch.restart();
    }
    Optional<NormalRange> judge = range;
    Cause cause =
        observation.value().isPresent()
            ? judge(observation.value().getAsDouble(), continuity)
            : Cause.NO_SAMPLE;
    double before = limit;
    limit = allowance(observation.capacity());
    return new Decision(Change.between(before, limit), limit, cause, observation, judge, range);
  }

  private Cause judge(double used, ObservationWindow.Continuity continuity) {
    if (range.isEmpty()) {
      return completesRange(used, continuity) ? Cause.LEARNED : Cause.LEARNING;
    }
    NormalRange known = range.get();
    if (used > known.upper()) {
      range = Optional.of(known.around(used));
      watch.restart();
      return Cause.VIOLATION;
    }
    if (used < known.lower()) {
      return completesRange(used, continuity) ? Cause.PHASE_CHANGE : Cause.BELOW;
    }
    watch.restart();
    return Cause.INSIDE;
  }

  /** Adds a sample to the current stretch and returns whether that completed a new range. */
  private boolean completesRange(double used, ObservationWindow.Continuity continuity) {
    if (continuity != ObservationWindow.Continuity.CONTINUED) {
      return false;
    }
    watch.add(used);
    if (!watch.isFull()) {
      return false;
    }
    range = Optional.of(watch.range());
    watch.restart();
    return true;
  }

  private double allowance(double capacity) {
    return range.map(known -> Math.max(0, capacity - known.upper())).orElse(0.0);
  }
}
