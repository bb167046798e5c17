/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.evaluation.cluster.LinuxExecutor;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class ExecutorOptionTest {
  @Command(name = "demo")
  private static final class Commanded {
    @Mixin private ExecutorOption executor;
  }

  private static Optional<LinuxExecutor> parse(Map<String, String> environment, String... words) {
    Commanded command = new Commanded();
    CommandLine line = new CommandLine(command);
    line.parseArgs(words);
    return command.executor.linux(line.getCommandSpec(), environment);
  }

  @Test
  void containersRunAsThisProcessUnlessSaidOtherwise() {
    assertThat(parse(Map.of("CONTAINER_EXECUTOR", "/x", "SUDO_USER", "alice"))).isEmpty();
  }

  @Test
  void productionRunsAsTheCallerOfSudoAndTheProgramComesFromTheEnvironment() {
    assertThat(
            parse(Map.of("CONTAINER_EXECUTOR", "/x", "SUDO_USER", "alice"), "--executor", "linux"))
        .contains(new LinuxExecutor(Path.of("/x"), "alice", "nobody"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"alice | alice | alice", "alice,bob | alice | bob"})
  void usersThatAreNamedWin(String named, String production, String bestEffort) {
    assertThat(
            parse(
                Map.of("CONTAINER_EXECUTOR", "/x", "SUDO_USER", "carol"),
                "--executor",
                "linux",
                "--container-executor",
                "/y",
                "--run-as",
                named))
        .contains(new LinuxExecutor(Path.of("/y"), production, bestEffort));
  }

  @Test
  void withoutSudoBothRunAsNobody() {
    assertThat(parse(Map.of("CONTAINER_EXECUTOR", "/x"), "--executor", "linux"))
        .contains(new LinuxExecutor(Path.of("/x"), "nobody", "nobody"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--executor docker                                    | no 'docker'",
        "--executor linux                                     | unpack Hadoop's binary distribution",
        "--run-as alice                                       | need --executor linux",
        "--container-executor /x                              | need --executor linux",
        "--executor linux --container-executor /x --run-as a,b,c | takes one user, or two",
        "--executor linux --container-executor /x --run-as ,b | takes one user, or two",
      })
  void whatIsWrongIsSaidWithItsCure(String words, String message) {
    assertThatThrownBy(() -> parse(Map.of(), words.split(" ", -1)))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining(message);
  }
}
