/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateFileTest {
  private static final ProcessIdentity SUPERVISOR = new ProcessIdentity(4711, 12345);

  @TempDir private Path directory;
  private Path path;
  private int userId;
  private StateFile file;

  @BeforeEach
  void name() throws IOException {
    path = directory.resolve("cluster.json");
    userId = (int) Files.getAttribute(directory, "unix:uid");
    file = new StateFile(path, userId);
  }

  @Test
  void whatIsWrittenIsRead() throws Exception {
    assertThat(file.read()).isEmpty();
    file.claim(States.begun(SUPERVISOR));
    assertThat(file.read()).contains(States.begun(SUPERVISOR));
    file.replace(States.running(SUPERVISOR));
    assertThat(file.read()).contains(States.running(SUPERVISOR));
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).as("nothing is left beside it").containsExactly(path);
    }
  }

  @Test
  void aClusterWithTheDefaultExecutorIsReadAsOne() throws Exception {
    ClusterState linux = States.begun(SUPERVISOR);
    ClusterState usual =
        new ClusterState(
            linux.supervisor(),
            linux.since(),
            linux.nodeMemoryMb(),
            Optional.empty(),
            linux.workDirectory(),
            linux.remarks(),
            linux.address());
    file.claim(usual);
    assertThat(file.read()).contains(usual);
  }

  @Test
  void oneClusterHasThePlace() throws Exception {
    file.claim(States.begun(SUPERVISOR));
    assertThatThrownBy(() -> file.claim(States.begun(new ProcessIdentity(4712, 1))))
        .isInstanceOf(FileAlreadyExistsException.class);
    file.remove(States.begun(new ProcessIdentity(4712, 1)));
    assertThat(file.read()).contains(States.begun(SUPERVISOR));
    file.remove(States.running(SUPERVISOR));
    assertThat(path).doesNotExist();
  }

  @Test
  void anotherUsersFileIsNotFollowed() throws Exception {
    file.claim(States.begun(SUPERVISOR));
    assertThatThrownBy(() -> new StateFile(path, userId + 1).read())
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(path.toString(), "user number " + userId, "--directory");
  }

  @Test
  void aLinkIsNotFollowed() throws Exception {
    Path elsewhere = directory.resolve("elsewhere");
    new StateFile(elsewhere, userId).claim(States.begun(SUPERVISOR));
    Files.createSymbolicLink(path, elsewhere);
    assertThatThrownBy(file::read).hasMessageContainingAll(path.toString(), "remove it");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{\"supervisor\" : {\"pid\" : 47",
        "{}",
        "{\"workDirectory\":\"/home\",\"remarks\":[]}",
        "{\"workDirectory\":\"/tmp/charon-cluster-1\",\"remarks\":[],\"supervisor\":{\"pid\":\"x\",\"startTicks\":1}}"
      })
  void aTornFileIsNamedWithTheCure(String text) throws Exception {
    Files.writeString(path, text);
    assertThatThrownBy(file::read)
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(path.toString(), "remove it");
  }
}
