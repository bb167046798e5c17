/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class CharonTest {
  static Stream<CommandLine> commands() {
    CommandLine charon = Charon.commandLine();
    return Stream.concat(Stream.of(charon, released()), charon.getSubcommands().values().stream());
  }

  private static CommandLine released() {
    return Charon.commandLine(
        new InstallPaths(Path.of("/opt/charon"), Path.of("/ua-killer"), true));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpTeaches(CommandLine command) {
    String help = command.getUsageMessage(CommandLine.Help.Ansi.OFF);
    assertThat(command.getCommandSpec().usageMessage().description()).isNotEmpty();
    assertThat(help).contains("Examples:", "Exit codes:", "  charon ").doesNotContain("${");
  }

  @Test
  void withoutCommandItExplainsItself() {
    StringWriter err = new StringWriter();
    int exitCode = Charon.commandLine().setErr(new PrintWriter(err)).execute();
    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString()).contains("doctor", "status", "test");
  }

  @Test
  void aReleaseOffersOnlyCommandsThatNeedNoSources() {
    assertThat(released().getSubcommands().keySet())
        .contains("doctor", "status", "top", "explain", "killer", "sls", "tune", "contention")
        .doesNotContain("demo", "bench", "test", "package");
  }

  @Test
  void versionNamesHadoopToo() {
    StringWriter out = new StringWriter();
    assertThat(Charon.commandLine().setOut(new PrintWriter(out)).execute("--version")).isZero();
    assertThat(out.toString()).contains("Charon ").containsPattern("Hadoop 3\\.\\d+\\.\\d+");
  }
}
