/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.util.List;
import java.util.Locale;

/**
 * Limits that {@code bench false-kills} sets for the killer (our choice). Judging a share needs
 * many rounds. With fewer rounds, only three conditions are judged: production is never killed, it
 * does not end otherwise, and no guilty container survives, so that a killer that does nothing
 * fails. File thrash has no limit, because the default rule counts only refaults of pages that had
 * been in use.
 */
final class FalseKillsTargets {
  /** Number of rounds from which a share of 1 in 60 can be judged. */
  static final int ROUNDS_FOR_SHARES = 60;

  private static final double MIN_RECALL = 0.95;

  private FalseKillsTargets() {}

  /** Returns all limits that the rounds of this result can judge. */
  static List<Target> of(FalseKillsResult result) {
    int rounds = result.verdicts().size();
    int production = result.sum(RoundVerdict::productionKills);
    ThrashEpisodes anonymous = result.spells(RoundVerdict::anonymous);
    Target noProductionKill =
        new Target("no production kill", production + " in " + rounds + " rounds", production == 0);
    int others = result.sum(RoundVerdict::productionEndedByOthers);
    Target noOtherEnd =
        new Target(
            "no production container ended otherwise, for example by Linux's OOM killer",
            others + " in " + rounds + " rounds",
            others == 0);
    if (rounds < ROUNDS_FOR_SHARES) {
      return List.of(
          noProductionKill,
          noOtherEnd,
          new Target(
              "containers that thrash anonymous memory are killed",
              "%d survivors of %d episodes".formatted(anonymous.survivors(), anonymous.episodes()),
              anonymous.survivors() == 0));
    }
    int innocent = result.sum(verdict -> verdict.innocentKills() + verdict.falseAlarms());
    return List.of(
        noProductionKill,
        noOtherEnd,
        new Target(
            "recall of anonymous thrash at least 95 %",
            recall(anonymous), anonymous.episodes() > 0 && anonymous.recall() >= MIN_RECALL),
        new Target(
            "at most 1 innocent victim in " + ROUNDS_FOR_SHARES + " rounds",
            innocent + " in " + rounds + " rounds",
            innocent <= rounds / ROUNDS_FOR_SHARES));
  }

  /** Returns the recall as text. */
  static String recall(ThrashEpisodes spells) {
    return spells.episodes() == 0
        ? "no episodes"
        : String.format(
            Locale.ROOT,
            "%.0f %%, %d of %d episodes",
            100 * spells.recall(),
            spells.endedInTime(),
            spells.episodes());
  }
}
