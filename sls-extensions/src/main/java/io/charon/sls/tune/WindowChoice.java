/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.tune;

import io.charon.core.law.RangeSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The windows that can be used with all series. They are the same for each series, so that cells
 * can be compared.
 *
 * @param accepted windows in seconds, increasing
 * @param refused the other windows
 */
record WindowChoice(List<Double> accepted, List<RefusedWindow> refused) {

  /** Checks windows against the series. */
  static WindowChoice of(List<Double> windows, SeriesSurvey survey) {
    SeriesFacts coarsest = survey.coarsest();
    SeriesFacts shortest = survey.shortest();
    List<Double> accepted = new ArrayList<>();
    List<RefusedWindow> refused = new ArrayList<>();
    for (double window : windows.stream().distinct().sorted().toList()) {
      if (window < RangeSettings.MIN_SAMPLES * coarsest.intervalSeconds()) {
        refused.add(
            new RefusedWindow(
                window,
                String.format(
                    Locale.ROOT,
                    "shorter than %d samples of series %s, which are %.4g s apart",
                    RangeSettings.MIN_SAMPLES,
                    coarsest.name(),
                    coarsest.intervalSeconds())));
      } else if (2 * window > shortest.seconds()) {
        refused.add(
            new RefusedWindow(
                window,
                String.format(
                    Locale.ROOT,
                    "more than half of series %s, which lasts %.4g s",
                    shortest.name(),
                    shortest.seconds())));
      } else {
        accepted.add(window);
      }
    }
    return new WindowChoice(accepted, refused);
  }
}
