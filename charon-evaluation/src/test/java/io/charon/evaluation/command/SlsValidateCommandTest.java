/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.cli.Charon;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SlsValidateCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  private int run(String... arguments) {
    CommandLine command = Charon.commandLine();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    return command.execute(
        Stream.concat(Stream.of("sls"), Arrays.stream(arguments)).toArray(String[]::new));
  }

  @Test
  void printsWhatWasMeasuredBesideWhatWasSimulated() throws Exception {
    Path demo =
        Path.of(getClass().getResource("/io/charon/evaluation/validation/demo-small.json").toURI());
    int exit = run("validate", "--demo", demo.toString(), "--seeds", "2");
    assertThat(exit).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("measured", "simulated", "difference", "charon", "jobs completed", "(given)");
  }

  @Test
  void anOlderResultOfTheDemoIsRefused() throws Exception {
    Path old = Files.writeString(directory.resolve("old.json"), "{\"modes\": {\"alone\": {}}}");
    assertThat(run("validate", "--demo", old.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("charon sls validate: " + old, "older charon demo");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void wrongUsageNamesWhatIsWrong() {
    assertThat(run("validate")).isEqualTo(2);
    assertThat(err.toString()).contains("--demo");
    assertThat(run("validate", "--demo", "x.json", "--seeds", "0")).isEqualTo(2);
  }
}
