/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import io.charon.core.kill.ThrashDetector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Judges one round: the script says who was guilty, the samples what happened, the killer whom it
 * killed.
 *
 * @param guiltyKills guilty ones that died
 * @param productionKills production containers and services that died
 * @param innocentKills innocent best-effort containers that died while a guilty one could have
 * @param falseAlarms innocent best-effort containers that died while nobody was guilty
 * @param killsWithoutRelief kills after which neither the refaults that were the reason nor the use
 *     of anonymous memory fell
 * @param missedThrash spells of thrash by a guilty container that outlasted the tolerance by two
 *     seconds without any kill
 * @param endedLate those of them that a kill ended after that
 * @param endedByOthers containers that were to live on and died without a decision of the killer,
 *     such as by Linux's own OOM killer
 */
record RoundVerdict(
    int guiltyKills,
    int productionKills,
    int innocentKills,
    int falseAlarms,
    int killsWithoutRelief,
    int missedThrash,
    int endedLate,
    int endedByOthers) {
  static final Duration GRACE = Duration.ofSeconds(2);

  /** The samples needed after the last kill, to see whether it brought relief. */
  static final Duration RELIEF_SEEN_AFTER = Duration.ofMillis(1600);

  private static final Duration RELIEF_FROM = Duration.ofMillis(500);
  private static final Duration WINDOW = Duration.ofSeconds(1);
  private static final double FALL = 0.9;
  private static final Duration FLAT = Duration.ofSeconds(1);
  private static final long MIN_PAGES = 10;

  /**
   * Judges.
   *
   * @param script what was to happen
   * @param kills the killer's record
   * @param samples in order of time; at least one
   * @param tolerance cgth_time of the killer
   */
  static RoundVerdict of(
      RoundScript script, List<RoundKill> kills, List<RoundSample> samples, Duration tolerance) {
    Map<String, ScriptedContainer> byName = new HashMap<>();
    script.containers().forEach(container -> byName.put(container.name(), container));
    int guilty = 0;
    int production = 0;
    int innocent = 0;
    int alarms = 0;
    int withoutRelief = 0;
    for (RoundKill kill : kills) {
      ScriptedContainer victim = byName.get(kill.victim());
      if (victim.role() != Role.BEST_EFFORT) {
        production++;
      } else if (victim.isGuilty()) {
        guilty++;
      } else if (guiltyOneLived(script, samples, kill.decisionNanos())) {
        innocent++;
      } else {
        alarms++;
      }
      if (!broughtRelief(kill, samples)) {
        withoutRelief++;
      }
    }
    Missed missed = missed(script, kills, samples, tolerance);
    return new RoundVerdict(
        guilty,
        production,
        innocent,
        alarms,
        withoutRelief,
        missed.spells(),
        missed.endedLate(),
        endedByOthers(script, kills, samples));
  }

  /** Spells of thrash that had to end: those that a kill ended, and those that none did. */
  int episodes() {
    return guiltyKills + productionKills + innocentKills + falseAlarms + missedThrash - endedLate;
  }

  private static boolean guiltyOneLived(
      RoundScript script, List<RoundSample> samples, long decisionNanos) {
    RoundSample before = at(samples, decisionNanos).orElse(samples.get(0));
    return script.guilty().stream()
        .map(one -> before.containers().get(one.name()))
        .anyMatch(state -> state != null && state.populated());
  }

  /** By the kind of refaults that was the reason; page cache that others fill at once is none. */
  private static boolean broughtRelief(RoundKill kill, List<RoundSample> samples) {
    long decision = kill.decisionNanos();
    long window = WINDOW.toNanos();
    long from = decision + RELIEF_FROM.toNanos();
    ToLongFunction<MemoryStatistics> refaults =
        kill.series().equals("file")
            ? MemoryStatistics::fileRefaults
            : MemoryStatistics::anonymousRefaults;
    long before = growth(samples, refaults, decision - window, decision);
    long after = growth(samples, refaults, from, from + window);
    long freed = -growth(samples, MemoryStatistics::anonymousBytes, decision, from);
    return after < before * FALL || freed >= kill.victimBytes() / 2;
  }

  private static long growth(
      List<RoundSample> samples, ToLongFunction<MemoryStatistics> number, long from, long to) {
    return valueAt(samples, number, to) - valueAt(samples, number, from);
  }

  private static long valueAt(
      List<RoundSample> samples, ToLongFunction<MemoryStatistics> number, long nanos) {
    return at(samples, nanos).orElse(samples.get(0)).sum(number);
  }

  /** The last sample that is not later. */
  private static Optional<RoundSample> at(List<RoundSample> samples, long nanos) {
    return samples.stream()
        .filter(sample -> sample.nanos() <= nanos)
        .max(Comparator.comparingLong(RoundSample::nanos));
  }

  /** Spells of thrash that outlasted the grace, and how many of them a kill ended all the same. */
  private record Missed(int spells, int endedLate) {}

  /** A kill ends the episode of all: the killer clears its samples, too. */
  private static Missed missed(
      RoundScript script, List<RoundKill> kills, List<RoundSample> samples, Duration tolerance) {
    int spells = 0;
    int endedLate = 0;
    for (ScriptedContainer guilty : script.guilty()) {
      ThrashDetector detector = new ThrashDetector(tolerance.plus(GRACE), FLAT, MIN_PAGES);
      List<RoundKill> coming = new ArrayList<>(kills);
      boolean counted = false;
      for (RoundSample sample : samples) {
        if (coming.removeIf(kill -> kill.decisionNanos() <= sample.nanos())) {
          detector.clear();
          endedLate += counted ? 1 : 0;
          counted = false;
        }
        RoundSample.State state = sample.containers().get(guilty.name());
        if (state != null
            && state.populated()
            && detector.observe(sample.nanos(), state.memory().refaults(), true)
            && !counted) {
          spells++;
          counted = true;
        }
      }
    }
    return new Missed(spells, endedLate);
  }

  /** Only a stream comes to its end by itself. */
  private static int endedByOthers(
      RoundScript script, List<RoundKill> kills, List<RoundSample> samples) {
    RoundSample last = samples.get(samples.size() - 1);
    return (int)
        script.containers().stream()
            .filter(one -> one.behaviour() != Behaviour.STREAM)
            .filter(one -> kills.stream().noneMatch(kill -> kill.victim().equals(one.name())))
            .map(one -> last.containers().get(one.name()))
            .filter(state -> state != null && !state.populated())
            .count();
  }
}
