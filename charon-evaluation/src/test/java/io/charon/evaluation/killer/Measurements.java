/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Creates measurements like those of a run. */
final class Measurements {
  static final long MILLISECOND = 1_000_000;

  private Measurements() {}

  /** Returns a kill with times in milliseconds from the decision. */
  static KillMeasurement kill(String variant, int megabytes, double lastSignal, double freed) {
    return kill(variant, megabytes, lastSignal, freed + 1, OptionalLong.of(at(freed)));
  }

  /** Returns a kill after which the memory stayed in use. */
  static KillMeasurement unfreed(String variant, int megabytes) {
    return kill(variant, megabytes, 0, 1, OptionalLong.empty());
  }

  private static KillMeasurement kill(
      String variant, int megabytes, double lastSignal, double gone, OptionalLong freedNanos) {
    return KillMeasurement.of(
        variant,
        megabytes,
        OptionalLong.of(0),
        new KillTimes(500 * MILLISECOND, OptionalLong.of(at(lastSignal))),
        at(gone),
        freedNanos);
  }

  static List<KillMeasurement> kills(
      String variant, int megabytes, int count, double lastSignal, double freed) {
    List<KillMeasurement> kills = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      kills.add(kill(variant, megabytes, lastSignal, freed));
    }
    return kills;
  }

  static KillerResult result(List<String> variants, List<KillMeasurement> all) {
    KillerOptions options =
        new KillerOptions(variants, List.of(50), 2, Duration.ofMillis(500), Duration.ofSeconds(10));
    return new KillerResult(options, KillSummary.of(variants, List.of(50), all), "6.18.0", 2, 12.5);
  }

  private static long at(double millisAfterDecision) {
    return Math.round((500 + millisAfterDecision) * MILLISECOND);
  }
}
