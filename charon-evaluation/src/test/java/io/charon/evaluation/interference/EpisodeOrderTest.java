/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EpisodeOrderTest {
  private static List<String> order(int episodes, String pairs, InterferenceMode... modes) {
    return EpisodeOrder.of(
            new InterferenceOptions(
                List.of(pairs.split(",", -1)).stream()
                    .map(name -> Pair.of(name).orElseThrow())
                    .toList(),
                List.of(modes),
                episodes,
                Duration.ofSeconds(5)))
        .stream()
        .map(PlannedEpisode::key)
        .toList();
  }

  @Test
  void aloneComesFirstOnceForAllPairsAndModesTakeTurns() {
    assertThat(
            order(
                2,
                "mapped:grower,mapped:stream",
                InterferenceMode.ALONE_AGAIN,
                InterferenceMode.NONE,
                InterferenceMode.LIMIT))
        .containsExactly(
            "mapped alone 0",
            "mapped:grower none 0",
            "mapped:grower limit 0",
            "mapped:stream none 0",
            "mapped:stream limit 0",
            "mapped alone-again 0",
            "mapped alone 1",
            "mapped:grower limit 1",
            "mapped:grower none 1",
            "mapped:stream limit 1",
            "mapped:stream none 1",
            "mapped alone-again 1");
  }

  @Test
  void aColdStartIsComparedWithAColdStart() {
    assertThat(order(1, "jvm:forks,mapped:dirty:cold", InterferenceMode.KILLER))
        .containsExactly(
            "jvm alone 0",
            "mapped:cold alone 0",
            "jvm:forks killer 0",
            "mapped:dirty:cold killer 0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "mapped",
        "mapped:",
        "mapped:stream:warm",
        "mapped:grower:cold",
        "jvm:sleeper"
      })
  void whatIsNoPairIsNone(String name) {
    assertThat(Pair.of(name)).isEmpty();
  }

  @Test
  void everyPairHasANameThatIsUnderstood() {
    assertThat(Pair.all())
        .doesNotHaveDuplicates()
        .hasSize(50)
        .startsWith(Pair.table().toArray(Pair[]::new))
        .allSatisfy(pair -> assertThat(Pair.of(pair.name())).hasValue(pair));
  }
}
