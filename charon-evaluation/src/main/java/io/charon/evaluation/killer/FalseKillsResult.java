/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * The counts of {@code bench false-kills}.
 *
 * @param options options of the run
 * @param verdicts one verdict for each round
 * @param seconds duration of the run
 */
public record FalseKillsResult(
    FalseKillsOptions options, List<RoundVerdict> verdicts, double seconds) {
  /** Copies the list. */
  public FalseKillsResult {
    verdicts = List.copyOf(verdicts);
  }

  ThrashEpisodes spells(Function<RoundVerdict, ThrashEpisodes> kind) {
    return verdicts.stream().map(kind).reduce(ThrashEpisodes.NONE, ThrashEpisodes::plus);
  }

  int sum(ToIntFunction<RoundVerdict> count) {
    return verdicts.stream().mapToInt(count).sum();
  }
}
