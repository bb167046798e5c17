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
 * The verdict on one round. The script says which containers were guilty, the samples say what
 * happened, and the killer's record says which containers it killed.
 *
 * @param guiltyKills guilty containers that were killed
 * @param productionKills production containers and services that were killed
 * @param innocentKills innocent best-effort containers that were killed although a guilty one was
 *     alive
 * @param falseAlarms innocent best-effort containers that were killed while no guilty one was alive
 * @param killsWithoutRelief kills after which neither the refaults that were the reason nor the use
 *     of anonymous memory fell
 * @param anonymous spells of containers guilty of anonymous thrash
 * @param file spells of containers guilty of file thrash
 * @param others containers that should have survived and ended without a decision of the killer
 */
record RoundVerdict(
    int guiltyKills,
    int productionKills,
    int innocentKills,
    int falseAlarms,
    int killsWithoutRelief,
    ThrashEpisodes anonymous,
    ThrashEpisodes file,
    EndedByOthers others) {
  /**
   * Containers that ended without a decision of the killer, for example by Linux's own OOM killer.
   *
   * @param all their number
   * @param production production containers and services among them
   */
  record EndedByOthers(int all, int production) {
    static final EndedByOthers NONE = new EndedByOthers(0, 0);
  }

  static final Duration GRACE = Duration.ofSeconds(2);

  /** Time to sample after the last kill to see whether it brought relief. */
  static final Duration RELIEF_SEEN_AFTER = Duration.ofMillis(1600);

  private static final Duration RELIEF_FROM = Duration.ofMillis(500);
  private static final Duration WINDOW = Duration.ofSeconds(1);
  private static final double FALL = 0.9;
  private static final Duration FLAT = Duration.ofSeconds(1);
  private static final long MIN_PAGES = 10;

  /**
   * Judges a round.
   *
   * @param script script of the round
   * @param kills kills recorded by the killer
   * @param samples samples in order of time; at least one
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
    List<ScriptedContainer> others = endedByOthers(script, kills, samples);
    for (RoundKill kill : kills) {
      ScriptedContainer victim = byName.get(kill.victim());
      if (victim.role() != Role.BEST_EFFORT) {
        production++;
      } else if (victim.isGuilty()) {
        guilty++;
      } else if (anyGuiltyAlive(script, samples, kill.decisionNanos())) {
        innocent++;
      } else {
        alarms++;
      }
      if (!relievedPressure(kill, samples)) {
        withoutRelief++;
      }
    }
    return new RoundVerdict(
        guilty,
        production,
        innocent,
        alarms,
        withoutRelief,
        spells(script, Behaviour.ANONYMOUS, kills, samples, tolerance),
        spells(script, Behaviour.FILE, kills, samples, tolerance),
        new EndedByOthers(
            others.size(),
            (int) others.stream().filter(one -> one.role() != Role.BEST_EFFORT).count()));
  }

  int endedByOthers() {
    return others.all();
  }

  int productionEndedByOthers() {
    return others.production();
  }

  /** Returns the number of spells of thrash of guilty containers, which had to end. */
  int episodes() {
    return all().episodes();
  }

  int missedThrash() {
    return all().missed();
  }

  int endedLate() {
    return all().endedLate();
  }

  private ThrashEpisodes all() {
    return anonymous.plus(file);
  }

  private static boolean anyGuiltyAlive(
      RoundScript script, List<RoundSample> samples, long decisionNanos) {
    RoundSample before = at(samples, decisionNanos).orElse(samples.get(0));
    return script.guilty().stream()
        .map(one -> before.containers().get(one.name()))
        .anyMatch(state -> state != null && state.populated());
  }

  /**
   * Uses the kind of refaults that was the reason; page cache that others fill at once is no
   * relief.
   */
  private static boolean relievedPressure(RoundKill kill, List<RoundSample> samples) {
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

  /** Returns the last sample that is not later than a time. */
  private static Optional<RoundSample> at(List<RoundSample> samples, long nanos) {
    return samples.stream()
        .filter(sample -> sample.nanos() <= nanos)
        .max(Comparator.comparingLong(RoundSample::nanos));
  }

  private static ThrashEpisodes spells(
      RoundScript script,
      Behaviour behaviour,
      List<RoundKill> kills,
      List<RoundSample> samples,
      Duration tolerance) {
    return script.guilty().stream()
        .filter(guilty -> guilty.behaviour() == behaviour)
        .map(guilty -> spells(guilty.name(), kills, samples, tolerance))
        .reduce(ThrashEpisodes.NONE, ThrashEpisodes::plus);
  }

  /**
   * Counts the spells of one container. A kill ends the spells of all containers, because the
   * killer clears its samples as well.
   */
  private static ThrashEpisodes spells(
      String guilty, List<RoundKill> kills, List<RoundSample> samples, Duration tolerance) {
    ThrashDetector detector = new ThrashDetector(tolerance.plus(GRACE), FLAT, MIN_PAGES);
    List<RoundKill> coming = new ArrayList<>(kills);
    boolean outlasted = false;
    int missed = 0;
    int endedLate = 0;
    int endedInTime = 0;
    for (RoundSample sample : samples) {
      List<RoundKill> due =
          coming.stream().filter(kill -> kill.decisionNanos() <= sample.nanos()).toList();
      if (!due.isEmpty()) {
        coming.removeAll(due);
        detector.clear();
        endedLate += outlasted ? 1 : 0;
        endedInTime += !outlasted && isVictim(guilty, due) ? 1 : 0;
        outlasted = false;
      }
      RoundSample.State state = sample.containers().get(guilty);
      if (state != null
          && state.populated()
          && detector.observe(sample.nanos(), state.memory().refaults(), true)
          && !outlasted) {
        missed++;
        outlasted = true;
      }
    }
    boolean survived = missed > 0 && !isVictim(guilty, kills);
    return new ThrashEpisodes(endedInTime, missed, endedLate, survived ? 1 : 0);
  }

  private static boolean isVictim(String name, List<RoundKill> kills) {
    return kills.stream().anyMatch(kill -> kill.victim().equals(name));
  }

  /** Returns the containers that ended without a kill; only a stream ends by itself. */
  private static List<ScriptedContainer> endedByOthers(
      RoundScript script, List<RoundKill> kills, List<RoundSample> samples) {
    RoundSample last = samples.get(samples.size() - 1);
    return script.containers().stream()
        .filter(one -> one.behaviour() != Behaviour.STREAM)
        .filter(one -> !isVictim(one.name(), kills))
        .filter(one -> isEmpty(last.containers().get(one.name())))
        .toList();
  }

  private static boolean isEmpty(RoundSample.State state) {
    return state != null && !state.populated();
  }
}
