/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ApplicationRanksTest {
  @Test
  void theNewestApplicationHasTheHighestScore() {
    assertThat(
            ApplicationRanks.of(
                List.of("application_1_10000", "application_1_9999", "application_1_10000")))
        .isEqualTo(Map.of("application_1_10000", 2, "application_1_9999", 1));
    assertThat(ApplicationRanks.of(List.of())).isEmpty();
  }

  @Test
  void beyondAThousandTheOldestShareTheLowestScore() {
    List<String> applications =
        IntStream.range(0, 1200).mapToObj("application_1_%04d"::formatted).toList();

    Map<String, Integer> ranks = ApplicationRanks.of(applications);

    assertThat(ranks)
        .containsEntry("application_1_1199", 1000)
        .containsEntry("application_1_0200", 1);
    assertThat(ranks).containsEntry("application_1_0000", 1).containsEntry("application_1_0201", 2);
    assertThat(ranks.values()).allMatch(score -> score >= 1 && score <= 1000);
  }
}
