/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlaygroundTest {
  private static final ProcessIdentity SUPERVISOR = new ProcessIdentity(4711, 12345);

  @TempDir private Path proc;
  @TempDir private Path temporary;
  private StateDirectory directory;
  private Playground playground;

  @BeforeEach
  void prepare() throws IOException {
    directory = StateDirectory.of(temporary.resolve("cluster"));
    directory.create();
    playground = new Playground(directory, new ProcessTable(proc), Path.of("/nonexistent"));
  }

  private void process(long pid, String state, long startTicks) throws IOException {
    Files.writeString(
        Files.createDirectories(proc.resolve(Long.toString(pid))).resolve("stat"),
        "%d (a) name ) %s 1 %d 0 0 -1 0 0 0 0 0 0 0 0 0 20 0 30 0 %d 0 0%n"
            .formatted(pid, state, pid, startTicks));
  }

  @Test
  void theSupervisorsProcessIsTheCluster() throws Exception {
    process(4711, "S", 12345);
    directory.state().claim(States.running(SUPERVISOR));
    assertThat(playground.running()).isEqualTo(States.running(SUPERVISOR));
    assertThat(playground.wasKilled()).isFalse();
  }

  @Test
  void aProcessThatIsGoneIsNoCluster() throws Exception {
    directory.state().claim(States.running(SUPERVISOR));
    assertThat(playground.living()).isEmpty();
    assertThat(playground.wasKilled()).isTrue();
    assertThatThrownBy(playground::running).hasMessageContaining("bin/charon cluster start");
  }

  @Test
  void aLaterProcessWithTheSameNumberIsNoCluster() throws Exception {
    process(4711, "S", 99999);
    directory.state().claim(States.running(SUPERVISOR));
    assertThat(playground.living()).isEmpty();
  }

  @Test
  void aProcessOfWhichOnlyTheExitCodeIsLeftIsNoCluster() throws Exception {
    process(4711, "Z", 12345);
    directory.state().claim(States.running(SUPERVISOR));
    assertThat(playground.living()).isEmpty();
  }

  @Test
  void aClusterThatStartsCannotBeUsedYet() throws Exception {
    process(4711, "S", 12345);
    directory.state().claim(States.begun(SUPERVISOR));
    assertThat(playground.living()).isPresent();
    assertThatThrownBy(playground::running).hasMessageContaining("is still starting");
  }

  @Test
  void stoppingRemovesWhatAKilledClusterLeft() throws Exception {
    directory.state().claim(States.running(SUPERVISOR));
    Files.writeString(directory.log(), "the cluster runs\n");
    assertThat(new PlaygroundStop(playground, quiet()).stop())
        .isEqualTo(PlaygroundStop.Outcome.CLEANED_UP);
    assertThat(directory.path()).doesNotExist();
    assertThat(new PlaygroundStop(playground, quiet()).stop())
        .isEqualTo(PlaygroundStop.Outcome.NOTHING);
  }

  @Test
  void whatTheUserHasInTheDirectoryStays() throws Exception {
    Path users = Files.writeString(directory.path().resolve("notes"), "mine");
    directory.state().claim(States.running(SUPERVISOR));
    new PlaygroundStop(playground, quiet()).stop();
    assertThat(users).exists();
    assertThat(directory.path().resolve("cluster.json")).doesNotExist();
  }

  @Test
  void aDirectoryWhereOthersMayWriteIsRefused() throws Exception {
    Files.setAttribute(directory.path(), "unix:mode", 0777);
    assertThatThrownBy(playground::living)
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(directory.path().toString(), "chmod go-w");
  }

  private static ProgressLine quiet() {
    return new ProgressLine(new java.io.PrintWriter(java.io.Writer.nullWriter()), false);
  }
}
