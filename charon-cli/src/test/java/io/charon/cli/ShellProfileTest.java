/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.nodemanager.yarn.CharonNodeManager;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What Hadoop's {@code yarn} command does with the shellprofile, around the real file. */
class ShellProfileTest {
  private static final Path PROFILE = Path.of("../conf/shellprofile.d/charon.sh").toAbsolutePath();

  /** The part of the {@code yarn} command that chooses what a subcommand runs. */
  private static final String YARN =
      """
      set -euo pipefail
      yarncmd_case() {
        case $1 in
          nodemanager)
            HADOOP_SUBCMD_SUPPORTDAEMONIZATION=true
            HADOOP_CLASSNAME=org.apache.hadoop.yarn.server.nodemanager.NodeManager
            ARGUMENTS="${*:2}"
            ;;
          resourcemanager) HADOOP_CLASSNAME=ResourceManager ;;
        esac
      }
      run() {
        if declare -f "yarn_subcommand_$1" >/dev/null; then
          "yarn_subcommand_$1" "${@:2}"
        else
          yarncmd_case "$@"
        fi
        echo "$HADOOP_CLASSNAME ${HADOOP_SUBCMD_SUPPORTDAEMONIZATION:-} ${ARGUMENTS:-}"
      }
      source %s
      run %s
      """;

  @Test
  void theNodeManagerIsCharonsAndStillADaemonWithItsArguments() throws Exception {
    assertThat(yarn("nodemanager -D a=b"))
        .isEqualTo(CharonNodeManager.class.getName() + " true -D a=b");
  }

  @Test
  void otherDaemonsAreHadoops() throws Exception {
    assertThat(yarn("resourcemanager")).isEqualTo("ResourceManager");
  }

  private static String yarn(String command) throws Exception {
    Process bash =
        new ProcessBuilder("bash", "-c", YARN.formatted(PROFILE, command))
            .redirectErrorStream(true)
            .start();
    String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(output).isZero();
    return output.strip();
  }
}
