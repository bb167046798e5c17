/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class KillerCommandTest {
  @TempDir Path directory;
  private final List<List<String>> commands = new ArrayList<>();
  private final StringWriter err = new StringWriter();

  @Test
  void allArgumentsArePassedOnAndTheExitCodeIsReturned() throws IOException {
    Path program = program();

    assertThat(run(program, "--json", "set", "cgth-time-ms", "0", "--domain", "/a b")).isEqualTo(3);

    assertThat(commands)
        .containsExactly(
            List.of(program.toString(), "--json", "set", "cgth-time-ms", "0", "--domain", "/a b"));
  }

  @Test
  void withoutAnArgumentTheProgramExplainsItself() throws IOException {
    Path program = program();

    run(program);

    assertThat(commands).containsExactly(List.of(program.toString(), "--help"));
  }

  @Test
  void aProgramThatIsNotBuiltIsNamedWithTheCure() {
    assertThat(run(directory.resolve("ua-killer"), "status")).isEqualTo(1);
    assertThat(err.toString())
        .contains(directory.resolve("ua-killer") + " is not built", "make -C kernel-ua-killer");
    assertThat(commands).isEmpty();
  }

  private Path program() throws IOException {
    Path program = Files.writeString(directory.resolve("ua-killer"), "");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return program;
  }

  private int run(Path program, String... words) {
    return new CommandLine(
            new KillerCommand(
                program,
                (directory, command) -> {
                  commands.add(command);
                  return 3;
                }))
        .setErr(new PrintWriter(err, true))
        .execute(words);
  }
}
