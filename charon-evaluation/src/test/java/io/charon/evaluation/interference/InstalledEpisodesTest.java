/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InstalledEpisodesTest {
  private static final PlannedEpisode PROGRAM = planned("mapped:stream");
  private static final PlannedEpisode SERVER = planned("postgresql:stream");

  private final List<String> said = new ArrayList<>();

  private static PlannedEpisode planned(String pair) {
    return Episodes.planned(Pair.of(pair).orElseThrow(), InterferenceMode.NONE, 0);
  }

  private static void missing() throws IOException {
    throw new IOException("no PostgreSQL: run install-packages.sh");
  }

  @Test
  void aServerThatIsNotInstalledIsLeftOutWithReasonAndCure() {
    assertThat(
            InstalledEpisodes.of(
                List.of(SERVER, PROGRAM, SERVER), InstalledEpisodesTest::missing, said::add))
        .containsExactly(PROGRAM);
    assertThat(said)
        .containsExactly(
            "SKIPPED 2 episodes with production postgresql: no PostgreSQL: run install-packages.sh");
  }

  @Test
  void nothingIsLeftOutIfItIsInstalledOrNotNeeded() {
    assertThat(InstalledEpisodes.of(List.of(SERVER, PROGRAM), () -> {}, said::add))
        .containsExactly(SERVER, PROGRAM);
    assertThat(InstalledEpisodes.of(List.of(PROGRAM), InstalledEpisodesTest::missing, said::add))
        .containsExactly(PROGRAM);
    assertThat(said).isEmpty();
  }
}
