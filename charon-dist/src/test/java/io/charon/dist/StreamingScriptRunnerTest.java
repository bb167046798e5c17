/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamingScriptRunnerTest {
  @TempDir private Path directory;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void copiesTheOutputAndKeepsIt() throws Exception {
    ScriptRunner.Outcome outcome = run("echo first; pwd; echo last; exit 3");
    assertThat(outcome)
        .isEqualTo(new ScriptRunner.Outcome(3, List.of("first", directory.toString(), "last")));
    assertThat(outcome.lastLine()).isEqualTo("last");
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo("first%n%s%nlast%n".formatted(directory));
  }

  @Test
  void silentScriptHasAnEmptyLastLine() throws Exception {
    assertThat(run("exit 0").lastLine()).isEmpty();
  }

  private ScriptRunner.Outcome run(String script) throws Exception {
    return new StreamingScriptRunner(new PrintStream(out, false, StandardCharsets.UTF_8))
        .run(directory, List.of("/bin/sh", "-c", script));
  }
}
