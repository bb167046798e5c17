/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import io.charon.evaluation.interference.SpeedSeries.Interval;
import io.charon.evaluation.machine.Setting;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Creates episodes with known values. */
final class Episodes {
  static final double SECONDS = 10;
  static final Setting SETTING = new Setting(List.of("kernel 6.18", "2 processors", "cgroup v2"));

  private Episodes() {}

  static PlannedEpisode planned(Pair pair, InterferenceMode mode, int number) {
    return new PlannedEpisode(
        pair.production(),
        mode.runsBestEffort() ? Optional.of(pair.bestEffort()) : Optional.empty(),
        pair.cold(),
        mode,
        number);
  }

  /**
   * Returns an episode in which production stalls for {@code still} seconds and then has a constant
   * speed.
   */
  static Episode of(
      PlannedEpisode planned, double still, double perSecond, double work, Episode.Kills kills) {
    int fast = (int) Math.round((SECONDS - still) * 10);
    List<Interval> intervals =
        new ArrayList<>(Collections.nCopies(fast, new Interval(0.1, perSecond / 10)));
    if (still > 0) {
      intervals.add(0, new Interval(still, 0));
    }
    return new Episode(
        planned.key(),
        SETTING.text(),
        SECONDS,
        new SpeedSeries(intervals),
        new LatencyCounts(Map.of(LatencyCounts.bucketOf((long) (1e9 / perSecond)), 100L)),
        new Episode.Memory(180, 175, 200, 205, 20),
        work,
        kills);
  }

  static Episode.Kills kills(int charon, int kernelOom) {
    return new Episode.Kills(charon, kernelOom, false);
  }
}
