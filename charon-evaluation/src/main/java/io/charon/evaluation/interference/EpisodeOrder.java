/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The order of all episodes. Each repetition measures every mode of every pair once. The modes of a
 * pair follow each other, and each repetition begins with a different one, so that slow changes of
 * the machine affect all modes alike. Production alone comes first, because its peak determines the
 * static limit; alone again comes last.
 */
final class EpisodeOrder {
  private EpisodeOrder() {}

  static List<PlannedEpisode> of(InterferenceOptions options) {
    Set<PlannedEpisode> order = new LinkedHashSet<>();
    for (int number = 0; number < options.episodes(); number++) {
      alone(options, InterferenceMode.ALONE, number, order);
      for (Pair pair : options.pairs()) {
        List<PlannedEpisode> modes = new ArrayList<>();
        for (InterferenceMode mode : options.modes()) {
          if (mode.runsBestEffort()) {
            modes.add(
                new PlannedEpisode(
                    pair.production(), Optional.of(pair.bestEffort()), pair.cold(), mode, number));
          }
        }
        Collections.rotate(modes, -number);
        order.addAll(modes);
      }
      if (options.modes().contains(InterferenceMode.ALONE_AGAIN)) {
        alone(options, InterferenceMode.ALONE_AGAIN, number, order);
      }
    }
    return List.copyOf(order);
  }

  /** Adds production alone, once for all pairs with the same production. */
  private static void alone(
      InterferenceOptions options, InterferenceMode mode, int number, Set<PlannedEpisode> order) {
    for (Pair pair : options.pairs()) {
      order.add(new PlannedEpisode(pair.production(), Optional.empty(), pair.cold(), mode, number));
    }
  }
}
