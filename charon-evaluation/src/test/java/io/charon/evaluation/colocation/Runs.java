/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** Creates scenario results without running scenarios. */
final class Runs {
  private Runs() {}

  /**
   * The results of one mode.
   *
   * @param mode name of the mode
   * @param background work of best-effort per second
   * @param millis latency of all answers, one value for each repetition
   */
  record Of(String mode, double background, List<Double> millis) {
    static Of of(String mode, double background, double... millis) {
      return new Of(mode, background, Arrays.stream(millis).boxed().toList());
    }
  }

  static ScenarioResult scenario(String name, Of... modes) {
    List<RunMeasurement> runs = new ArrayList<>();
    List<ColocationMode> known = new ArrayList<>();
    for (Of one : modes) {
      ColocationMode mode =
          switch (one.mode()) {
            case "alone-again" -> ColocationMode.ALONE_AGAIN;
            case "best-effort-alone" -> ColocationMode.BACKGROUND_ALONE;
            default -> ColocationMode.of(one.mode()).orElseThrow();
          };
      known.add(mode);
      for (int i = 0; i < one.millis().size(); i++) {
        runs.add(
            new RunMeasurement(
                one.mode(),
                i,
                mode.hasForeground()
                    ? new Requests(
                        List.of(new Requests.Answer(0, (long) (one.millis().get(i) * 1e6))),
                        List.of())
                    : Requests.NONE,
                mode.hasForeground() ? 50 : 0,
                one.background(),
                isCompared(mode) ? 0.9 : 0.5,
                new RunMeasurement.Agent(
                    mode.hasWindow() ? i : 0,
                    0,
                    mode.hasWindow() ? OptionalDouble.of(0.25) : OptionalDouble.empty())));
      }
    }
    return new ScenarioResult(
        name,
        "a setting",
        new ColocationTimes(
            Duration.ofSeconds(15), false, Duration.ofSeconds(5), Duration.ofSeconds(60)),
        known,
        runs);
  }

  /** Returns whether the mode is the default or one of those with which it is compared. */
  private static boolean isCompared(ColocationMode mode) {
    return mode.kind() == ColocationMode.Kind.DEFAULT || mode.kind() == ColocationMode.Kind.PRESET;
  }
}
