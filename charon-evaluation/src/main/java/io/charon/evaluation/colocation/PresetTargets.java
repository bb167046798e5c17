/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.evaluation.colocation.ColocationTarget.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Compares Charon's default with the best preset: among the presets whose p99 is within the A/A
 * spread of the lowest one's, the preset with the most best-effort work.
 */
final class PresetTargets {
  /** A larger difference of two equal runs leaves nothing to compare. */
  private static final double MAX_SPREAD = 0.10;

  private static final double WORK = 0.95;
  private static final double IDLE_TIME = 0.75;

  private PresetTargets() {}

  /** Returns the targets; none unless the default and at least one preset were measured. */
  static List<ColocationTarget> of(ScenarioResult result) {
    Optional<ModeSummary> measured =
        result.summaries().stream()
            .filter(summary -> summary.mode().equals(ColocationMode.DEFAULT))
            .filter(summary -> summary.p99().isPresent())
            .findFirst();
    Optional<ModeSummary> best = best(result);
    if (measured.isEmpty() || best.isEmpty()) {
      return List.of();
    }
    ModeSummary own = measured.get();
    ModeSummary preset = best.get();
    String subject = result.name() + ", default: ";
    String name = preset.mode().name();
    boolean gentle =
        own.p99().getAsDouble() <= preset.p99().getAsDouble() + result.aaSpreadOfTail();
    boolean busy = own.background().getAsDouble() >= WORK * preset.background().getAsDouble();
    boolean tellsApart = result.aaSpreadOfTail() <= MAX_SPREAD;
    return List.of(
        new ColocationTarget(
            subject + "foreground p99 within the A/A spread of the best preset's (" + name + ")",
            String.format(
                Locale.ROOT,
                "%.3f and %.3f of alone (A/A spread of p99 %.1f %%)",
                own.p99().getAsDouble(),
                preset.p99().getAsDouble(),
                result.aaSpreadOfTail() * 100),
            gentle && !tellsApart ? Verdict.NOT_MEASURABLE : verdict(gentle)),
        new ColocationTarget(
            subject + "at least 0.95 of that preset's best-effort work",
            String.format(
                Locale.ROOT,
                "%.3f and %.3f of best-effort alone",
                own.background().getAsDouble(),
                preset.background().getAsDouble()),
            busy || tellsApart ? verdict(busy) : Verdict.NOT_MEASURABLE),
        idleTime(subject, result.spareUsed(own)));
  }

  private static Optional<ModeSummary> best(ScenarioResult result) {
    List<ModeSummary> presets =
        result.summaries().stream()
            .filter(
                summary ->
                    summary.mode().kind() == ColocationMode.Kind.PRESET
                        && summary.p99().isPresent())
            .toList();
    double lowest =
        presets.stream().mapToDouble(summary -> summary.p99().getAsDouble()).min().orElse(0);
    return presets.stream()
        .filter(summary -> summary.p99().getAsDouble() <= lowest + result.aaSpreadOfTail())
        .max(Comparator.comparingDouble(summary -> summary.background().getAsDouble()));
  }

  private static ColocationTarget idleTime(String subject, OptionalDouble share) {
    String name = subject + "at least 75 % of the processor time that production leaves idle used";
    return share.isPresent()
        ? new ColocationTarget(
            name,
            String.format(Locale.ROOT, "%.1f %%", share.getAsDouble() * 100),
            verdict(share.getAsDouble() >= IDLE_TIME))
        : new ColocationTarget(name, "production leaves nothing idle", Verdict.NOT_MEASURABLE);
  }

  private static Verdict verdict(boolean met) {
    return met ? Verdict.OK : Verdict.MISSED;
  }
}
