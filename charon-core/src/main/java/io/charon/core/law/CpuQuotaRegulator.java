/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law;

import io.charon.core.mechanism.Change;
import java.util.Optional;

/**
 * Controls the CPU quota of best-effort by a signal of the foreground's health, such as its
 * instructions per cycle (Scavenger, section 4.4). Let {@code d} be how much better than {@code mu}
 * the signal is, in its good direction:
 *
 * <ul>
 *   <li>{@code |d| > 2 * c * sigma}: the foreground is in a new phase: the quota falls to the
 *       minimum at once, and the range is learned again for w seconds; this rule takes precedence;
 *   <li>{@code d < -c * sigma}: the quota is halved;
 *   <li>{@code d > c * sigma}: the quota stays (our choice, the paper does not specify it);
 *   <li>otherwise: the quota grows by 10 % of a core, at most once a second ({@link
 *       StepRateLimiter}), because samples are more frequent while memory is short.
 * </ul>
 *
 * <p>Our choices where the paper is silent: during the first window best-effort gets nothing, and
 * the next sample after it may already raise the quota; a missing sample changes nothing;
 * unobserved time ({@link ObservationWindow}) restarts learning and raises nothing; a whole window
 * without a sample is a new phase. With sigma 0, every other value is a new phase. The capacity of
 * an observation is the number of cores on which best-effort may run.
 */
public final class CpuQuotaRegulator implements Regulator {
  private final CpuQuotaSettings settings;
  private final ObservationWindow watch;
  private final StepRateLimiter pace = new StepRateLimiter();
  private Optional<NormalRange> range = Optional.empty();
  private boolean learnedOnce;
  private double quota;
  private double limit;

  /**
   * Creates a controller without observations.
   *
   * @param settings how the quota follows the signal
   */
  public CpuQuotaRegulator(CpuQuotaSettings settings) {
    this.settings = settings;
    this.watch = new ObservationWindow(settings.range());
  }

  @Override
  public Decision decide(Observation observation) {
    ObservationWindow.Continuity continuity = watch.at(observation);
    if (continuity == ObservationWindow.Continuity.LOST) {
      range = Optional.empty();
      quota = lowest();
    }
    if (continuity != ObservationWindow.Continuity.CONTINUED) {
      watch.restart();
    }
    Optional<NormalRange> judge = range;
    Cause cause =
        observation.value().isPresent()
            ? judge(observation.value().getAsDouble(), observation.nanos(), continuity)
            : Cause.NO_SAMPLE;
    // The quota is capped as well as the limit, so that it does not grow unnoticed while there are
    // few cores.
    quota = Math.min(quota, Math.max(lowest(), observation.capacity()));
    double before = limit;
    limit = Math.min(quota, observation.capacity());
    return new Decision(Change.between(before, limit), limit, cause, observation, judge, range);
  }

  private Cause judge(double signal, long nanos, ObservationWindow.Continuity continuity) {
    if (range.isEmpty()) {
      return learn(signal, nanos, continuity);
    }
    NormalRange known = range.get();
    double better =
        settings.worse() == CpuQuotaSettings.Worse.LOWER
            ? signal - known.mean()
            : known.mean() - signal;
    if (Math.abs(better) > 2 * known.headroom()) {
      range = Optional.empty();
      watch.restart();
      quota = settings.minimumCores();
      return Cause.PHASE_CHANGE;
    }
    if (better < -known.headroom()) {
      quota = Math.max(settings.minimumCores(), quota / settings.decreaseFactor());
      return Cause.WORSE;
    }
    if (better > known.headroom()) {
      return Cause.BETTER;
    }
    if (continuity == ObservationWindow.Continuity.CONTINUED && pace.allows(nanos)) {
      quota = Math.min(settings.maximumCores(), quota + settings.increaseCores());
      pace.grew(nanos);
    }
    return Cause.INSIDE;
  }

  private Cause learn(double signal, long nanos, ObservationWindow.Continuity continuity) {
    if (continuity != ObservationWindow.Continuity.CONTINUED) {
      return Cause.LEARNING;
    }
    watch.add(signal);
    if (!watch.isFull()) {
      return Cause.LEARNING;
    }
    range = Optional.of(watch.range());
    watch.restart();
    quota = learnedOnce ? settings.minimumCores() : settings.startCores();
    learnedOnce = true;
    pace.grew(nanos);
    return Cause.LEARNED;
  }

  /** Returns 0 before the first window is full, and the minimum afterwards. */
  private double lowest() {
    return learnedOnce ? settings.minimumCores() : 0;
  }
}
