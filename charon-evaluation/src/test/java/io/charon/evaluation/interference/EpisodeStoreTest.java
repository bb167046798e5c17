/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.interference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.evaluation.machine.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EpisodeStoreTest {
  private static final Pair PAIR = Pair.of("mapped:stream").orElseThrow();
  private static final PlannedEpisode FIRST = Episodes.planned(PAIR, InterferenceMode.NONE, 0);
  private static final PlannedEpisode SECOND = Episodes.planned(PAIR, InterferenceMode.NONE, 1);

  @TempDir private Path directory;
  private Path file;
  private final Episode measured = Episodes.of(FIRST, 2.5, 1234, 17, Episodes.kills(1, 2));

  @BeforeEach
  void oneIsKept() throws IOException {
    file = directory.resolve("new").resolve("episodes.jsonl");
    EpisodeStore store = open();
    assertThat(store.has(FIRST)).isFalse();
    store.add(measured);
  }

  private EpisodeStore open() throws IOException {
    return EpisodeStore.open(Optional.of(file), Episodes.SECONDS, Episodes.SETTING);
  }

  @Test
  void theNextCallHasWhatTheOneBeforeMeasured() throws IOException {
    EpisodeStore store = open();
    assertThat(store.of(FIRST)).hasValue(measured);
    assertThat(store.has(SECOND)).isFalse();
    store.add(Episodes.of(SECOND, 0, 1, 1, Episodes.kills(0, 0)));
    assertThat(open().has(FIRST)).isTrue();
    assertThat(open().has(SECOND)).isTrue();
  }

  @Test
  void aLineThatWasCutOffIsMeasuredAgain() throws IOException {
    Files.writeString(file, "{\"key\":\"mapped:str", StandardOpenOption.APPEND);
    open().add(Episodes.of(SECOND, 0, 1, 1, Episodes.kills(0, 0)));
    assertThat(open().of(FIRST)).hasValue(measured);
    assertThat(open().has(SECOND)).isTrue();
  }

  @Test
  void anotherFileIsNotOverwritten() throws IOException {
    Files.writeString(file, "my diary\nsecond page\n");
    assertThatThrownBy(this::open)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file + ": line 1 is not an episode: name another file");
    assertThat(file).hasContent("my diary\nsecond page");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"setting\":\"a\",\"run\":\"b\"}\n",
        "{\"setting\":\"a\",\"run\":\"b\"}",
        "{\"key\":\"mapped:str\n",
        "my diary\n",
        "my diary"
      })
  void anotherFileOfOneLineIsNotOverwrittenEither(String text) throws IOException {
    Files.writeString(file, text);
    assertThatThrownBy(this::open)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file + ": line 1 is not an episode: name another file");
    assertThat(Files.readString(file)).isEqualTo(text);
  }

  @Test
  void aLineOfWhichOnlyItsEndWasCutOffIsKept() throws IOException {
    Files.writeString(file, Files.readString(file).stripTrailing());
    open().add(Episodes.of(SECOND, 0, 1, 1, Episodes.kills(0, 0)));
    assertThat(open().of(FIRST)).hasValue(measured);
    assertThat(open().has(SECOND)).isTrue();
  }

  @Test
  void episodesOfAnotherLengthAreNotMixed() {
    assertThatThrownBy(() -> EpisodeStore.open(Optional.of(file), 20, Episodes.SETTING))
        .hasMessageContaining("line 1 is an episode of 10 s, not of 20")
        .hasMessageContaining("--episode-seconds 10");
  }

  @Test
  void episodesOfAnotherMachineAreNotMixed() {
    Setting other = new Setting(List.of("kernel 6.1", "4 processors", "cgroup v2"));

    assertThatThrownBy(() -> EpisodeStore.open(Optional.of(file), Episodes.SECONDS, other))
        .hasMessageContaining(
            "line 1 is an episode of kernel 6.18, 2 processors, not of kernel 6.1, 4 processors:"
                + " name another file");
  }

  @Test
  void episodesThatDoNotSayWhereTheyWereMeasuredAreRefusedAndKept() throws IOException {
    String before =
        Files.readString(file).replace("\"setting\":\"" + Episodes.SETTING.text() + "\",", "");
    Files.writeString(file, before);

    assertThatThrownBy(this::open)
        .hasMessageContaining(
            "line 1 is an episode of an unknown setting, not of kernel 6.18, 2 processors, cgroup"
                + " v2: name another file");
    assertThat(file).hasContent(before);
  }

  @Test
  void withoutAFileNothingIsKept() throws IOException {
    EpisodeStore store = EpisodeStore.open(Optional.empty(), Episodes.SECONDS, Episodes.SETTING);
    store.add(measured);
    assertThat(store.has(FIRST)).isTrue();
  }
}
