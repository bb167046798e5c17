/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.charon.nodemanager.yarn.CharonNodeManager;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the shellprofile as Hadoop's {@code yarn} command uses it, with the real file. */
class ShellProfileTest {
  private static final Path PROFILE = Path.of("../conf/shellprofile.d/charon.sh").toAbsolutePath();

  /** The part of the {@code yarn} command that chooses the class for a subcommand. */
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

  /** The same parts of a real distribution: its shell functions and its {@code yarn} command. */
  private static final String DISTRIBUTION =
      """
      HADOOP_HOME=%1$s
      HADOOP_YARN_HOME=%1$s
      HADOOP_LIBEXEC_DIR=%1$s/libexec
      HADOOP_CONF_DIR=%2$s
      source "$HADOOP_LIBEXEC_DIR/hadoop-functions.sh"
      hadoop_import_shellprofiles
      eval "$(sed -n '/^function yarncmd_case/,/^}/p' "$HADOOP_HOME/bin/yarn")"
      yarn_subcommand_nodemanager
      echo "$HADOOP_CLASSNAME $HADOOP_SUBCMD_SUPPORTDAEMONIZATION"
      """;

  @TempDir Path configuration;

  @Test
  void theNodeManagerIsCharonsAndStillADaemonWithItsArguments() throws Exception {
    assertThat(yarn("nodemanager -D a=b"))
        .isEqualTo(CharonNodeManager.class.getName() + " true -D a=b");
  }

  @Test
  void otherDaemonsAreHadoops() throws Exception {
    assertThat(yarn("resourcemanager")).isEqualTo("ResourceManager");
  }

  @Test
  void hadoopsOwnShellFunctionsFindTheProfile() throws Exception {
    Optional<Path> hadoop =
        Optional.ofNullable(System.getenv("HADOOP_HOME"))
            .map(Path::of)
            .filter(home -> Files.isRegularFile(home.resolve("libexec/hadoop-functions.sh")));
    if (hadoop.isEmpty()) {
      System.out.println(
          "SKIPPED hadoopsOwnShellFunctionsFindTheProfile: HADOOP_HOME names no Hadoop distribution");
    }
    assumeTrue(hadoop.isPresent(), "HADOOP_HOME names no Hadoop distribution");
    Path profiles = Files.createDirectories(configuration.resolve("shellprofile.d"));
    Files.copy(PROFILE, profiles.resolve("charon.sh"));

    assertThat(bash(DISTRIBUTION.formatted(hadoop.get(), configuration)))
        .isEqualTo(CharonNodeManager.class.getName() + " true");
  }

  private static String yarn(String command) throws Exception {
    return bash(YARN.formatted(PROFILE, command));
  }

  private static String bash(String script) throws Exception {
    Process bash = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true).start();
    String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(output).isZero();
    return output.strip();
  }
}
