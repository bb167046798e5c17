/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks what docs/install.md does with the drop-ins of the NodeManager's unit, without systemd.
 */
class UnitDropInTest {
  private static final String FILE =
      "/etc/systemd/system/hadoop-yarn-nodemanager.service.d/charon.conf";

  @TempDir private Path directory;

  /** Without the others, containers end at the next restart, or the unit does not start. */
  @ParameterizedTest
  @ValueSource(strings = {"ini delegated", "ini tree"})
  void theRemovalTakesOnlyTheLinesThatRunTheHelper(String label) throws Exception {
    List<String> lines = InstallPage.block(label).lines().toList();
    Path file = Files.write(directory.resolve("charon.conf"), lines);
    String commands = InstallPage.block("bash undelegate");
    assertThat(commands).contains(FILE);
    Process shell =
        new ProcessBuilder(
                "bash", "-euc", "systemctl() { :; }\n" + commands.replace(FILE, file.toString()))
            .inheritIO()
            .start();
    assertThat(shell.waitFor()).isZero();
    assertThat(file)
        .content()
        .isEqualTo(
            String.join(
                "",
                lines.stream().filter(l -> !l.contains("ua-killer")).map(l -> l + "\n").toList()))
        .contains("User=yarn")
        .doesNotContain("ExecStart");
  }

  /** Afterwards systemd would leave the containers in the cgroup that has to be empty. */
  @Test
  void theUnitIsStoppedBeforeSystemdReadsTheDropIn() throws IOException {
    assertThat(InstallPage.block("bash delegated"))
        .containsSubsequence(
            "systemctl stop hadoop-yarn-nodemanager", "daemon-reload", "hadoop-yarn-nodemanager");
  }
}
