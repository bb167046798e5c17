/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.eviction;

import io.charon.core.law.RollingMean;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.BestEffortTasks.Task;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.Reading;
import io.charon.core.mechanism.Snapshot;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Evicts containers by CPU satisfaction (Alibaba's ACK; the numbers are koordinator's): {@code s =
 * limit / request}. The request is the sum of the vcores of all best-effort containers that are not
 * dying. The limit is the CPU time that best-effort may use now: the least of its quota, its cores,
 * and what production leaves. A water line that is enforced is in the quota or in the cores; one
 * that is not starves nobody. If {@code s <= 60 %} and best-effort uses at least 90 % of the limit,
 * both now and averaged over a window, {@code request * (80 % - s)} vcores are released, where s is
 * the larger of its current and average value.
 *
 * <p>A starved container holds locks for which others wait (ACK: priority inversion), and it holds
 * memory for work that makes no progress here but would elsewhere.
 */
public final class SatisfactionRule implements EvictionRule {
  /** The name in keys, metrics, status and audit log. */
  public static final String NAME = "evict-satisfaction";

  /**
   * The thresholds of the rule.
   *
   * @param lowerPercent satisfaction up to which containers are evicted, 1 to 100
   * @param upperPercent satisfaction that the remaining containers should have, from the lower one
   *     to 100
   * @param usePercent share of the limit that best-effort must use, 1 to 100: if it uses less, it
   *     does not need more
   * @param window the time over which both must hold; our default is 60 s
   */
  public record Settings(int lowerPercent, int upperPercent, int usePercent, Duration window) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public Settings {
      if (lowerPercent < 1
          || upperPercent < lowerPercent
          || upperPercent > 100
          || usePercent < 1
          || usePercent > 100
          || window.isNegative()
          || window.isZero()) {
        throw new IllegalArgumentException(
            "percents must be within 1 and 100, lower at most upper, and window positive; got lower %d, upper %d, use %d, window %s"
                .formatted(lowerPercent, upperPercent, usePercent, window));
      }
    }
  }

  /**
   * The CPU time that the kernel allows all best-effort containers together.
   *
   * @param cores CPU seconds per second, not negative; empty if there is no quota
   */
  public record BestEffortQuota(OptionalDouble cores) implements Reading {}

  private record Seen(double limit, double request, double use) {
    double satisfaction() {
      return limit / request;
    }

    /**
     * Returns the used share of the limit, at most 1: a use above a limit that has just fallen must
     * not outweigh later samples.
     */
    double usedShare() {
      return limit > 0 ? Math.min(1, use / limit) : 1;
    }
  }

  private final Settings settings;
  private final long gapNanos;
  private final RollingMean satisfaction;
  private final RollingMean usedShare;
  private boolean sampled;
  private long sampledNanos;

  /**
   * Creates a rule without observations.
   *
   * @param settings the thresholds
   * @param tick the usual time between two samples
   */
  public SatisfactionRule(Settings settings, Duration tick) {
    this.settings = settings;
    this.gapNanos = Math.max(settings.window().toNanos() / 2, 2 * tick.toNanos());
    this.satisfaction = new RollingMean(settings.window().toNanos());
    this.usedShare = new RollingMean(settings.window().toNanos());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String signal() {
    return "CPU limit by requests";
  }

  @Override
  public String unit() {
    return "ratio";
  }

  @Override
  public Resource resource() {
    return Resource.CPU;
  }

  @Override
  public Set<Class<? extends Reading>> needs() {
    return Set.of(NodeReading.class, BestEffortQuota.class, BestEffortTasks.class);
  }

  @Override
  public Finding find(Snapshot seen) {
    Optional<Seen> read = read(seen);
    if (read.isEmpty()) {
      return nothing(
          OptionalDouble.empty(),
          "the CPU time that best-effort may use, or that it uses, is not known");
    }
    Seen now = read.get();
    if (now.request() <= 0) {
      restart(); // nobody starved meanwhile
      return nothing(OptionalDouble.empty(), "no best-effort container asks for processors");
    }
    OptionalDouble value = OptionalDouble.of(now.satisfaction());
    if (!watch(seen.nanos(), now)) {
      return nothing(value, "the window is not full yet");
    }
    double lower = settings.lowerPercent() / 100.0;
    double used = settings.usePercent() / 100.0;
    if (now.satisfaction() > lower || satisfaction.mean() > lower) {
      return nothing(value, "best-effort may use as many processors as it asks for, or nearly");
    }
    if (now.usedShare() < used || usedShare.mean() < used) {
      return nothing(value, "best-effort does not use the processors that it may use");
    }
    double better = Math.max(now.satisfaction(), satisfaction.mean());
    double amount = now.request() * (settings.upperPercent() / 100.0 - better);
    if (!(amount > 0)) {
      return nothing(value, "best-effort may use as many processors as it asks for, or nearly");
    }
    return new Finding(
        value,
        Optional.of(
            new Shortage(Resource.CPU, amount, Shortage.MAX, basis(now, better, amount, lower))),
        "best-effort is starved of CPU time");
  }

  private static Finding nothing(OptionalDouble value, String cause) {
    return new Finding(value, Optional.empty(), cause);
  }

  private Optional<Seen> read(Snapshot seen) {
    NodeReading node = seen.get(NodeReading.class);
    OptionalDouble use = node.cpu().bestEffort().value();
    OptionalDouble foreground = node.cpu().foreground().value();
    OptionalDouble cores = node.cores().bestEffortCount().value();
    if (use.isEmpty() || foreground.isEmpty() || cores.isEmpty()) {
      return Optional.empty();
    }
    double left = node.cores().usable().count() - foreground.getAsDouble();
    double quota = seen.get(BestEffortQuota.class).cores().orElse(Double.MAX_VALUE);
    double limit = Math.max(0, Math.min(left, Math.min(quota, cores.getAsDouble())));
    double request =
        seen.get(BestEffortTasks.class).oldestFirst().stream()
            .filter(task -> !task.dying())
            .mapToInt(Task::cores)
            .sum();
    return Optional.of(new Seen(limit, request, use.getAsDouble()));
  }

  /**
   * Adds a sample, weighted by the time since the previous one. A gap of more than half a window
   * and two ticks, or a clock that does not advance, restarts the window.
   *
   * @return whether a whole window is known
   */
  private boolean watch(long nanos, Seen now) {
    long elapsed = nanos - sampledNanos;
    if (!sampled || elapsed <= 0 || elapsed > gapNanos) {
      restart();
      sampled = true;
      sampledNanos = nanos;
      return false;
    }
    sampledNanos = nanos;
    satisfaction.add(elapsed, now.satisfaction());
    usedShare.add(elapsed, now.usedShare());
    return satisfaction.isFull();
  }

  private void restart() {
    satisfaction.clear();
    usedShare.clear();
    sampled = false;
  }

  private Basis basis(Seen now, double better, double amount, double lower) {
    String reason =
        String.format(
            Locale.ROOT,
            REASON
                + "for CPU satisfaction: best-effort may use %.2f cores and asks for %.0f, which is %.0f %%,"
                + " at or below %d %% for %d s; it uses %.2f; %.2f vcores are to be released, up to %d %%",
            now.limit(),
            now.request(),
            better * 100,
            settings.lowerPercent(),
            settings.window().toSeconds(),
            now.use(),
            amount,
            settings.upperPercent());
    return new Basis(
        "best-effort",
        Map.of("limit", now.limit(), "request", now.request(), "use", now.use()),
        lower,
        "STARVED",
        reason);
  }
}
