/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the prefix with the real shell. */
class LaunchPrefixTest {
  private static final int SCORE = 1000;

  @TempDir Path directory;

  private record Ended(int status, String output, String errors, long processId) {}

  @Test
  void theCommandRunsInTheSameProcessWithScoreAndCgroups() throws Exception {
    Path memory = directory.resolve("memory");
    Path cpu = directory.resolve("cpu");

    Ended ended =
        run(
            new LaunchPrefix(SCORE, List.of(memory, cpu), List.of()),
            "sh",
            "-c",
            "echo $$; cat /proc/self/oom_score_adj");

    String processId = Long.toString(ended.processId());
    assertThat(ended).isEqualTo(new Ended(0, processId + "\n1000\n", "", ended.processId()));
    assertThat(memory).hasContent(processId);
    assertThat(cpu).hasContent(processId);
  }

  @Test
  void theCommandsExitStatusIsThatOfTheContainer() throws Exception {
    assertThat(run(new LaunchPrefix(SCORE, List.of(), List.of()), "sh", "-c", "exit 7").status())
        .isEqualTo(7);
    assertThat(
            run(new LaunchPrefix(SCORE, List.of(), List.of()), "sh", "-c", "kill -9 $$").status())
        .isEqualTo(137);
  }

  @Test
  void whatCannotBeWrittenIsSkippedSilently() throws Exception {
    Path last = directory.resolve("last");
    List<Path> files =
        List.of(
            directory.resolve("missing/cgroup.procs"),
            directory, // cannot be opened
            Path.of("/dev/full"), // can be opened but refuses writes
            last);

    Ended ended = run(new LaunchPrefix(SCORE, files, List.of()), "echo", "ran");

    assertThat(ended).isEqualTo(new Ended(0, "ran\n", "", ended.processId()));
    assertThat(last).hasContent(Long.toString(ended.processId()));
  }

  @Test
  void aScoreThatMayNotBeSetIsSkippedSilently() throws Exception {
    Ended ended = run(new LaunchPrefix(5000, List.of(), List.of()), "echo", "ran");

    assertThat(ended).isEqualTo(new Ended(0, "ran\n", "", ended.processId()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b",
        "$(touch injected)",
        "`touch injected`",
        "; touch injected;",
        "'\"",
        "*",
        "-n",
        "--",
        "(",
        "!",
        "=",
        "new\nline",
        "\\",
        "ü"
      })
  void pathsAndArgumentsAreNeverInterpreted(String hostile) throws Exception {
    Path file = directory.resolve("x" + hostile).resolve("cgroup.procs");
    Files.createDirectories(file.getParent());

    Ended ended = run(new LaunchPrefix(SCORE, List.of(file), List.of()), "printf", "%s", hostile);

    assertThat(ended).isEqualTo(new Ended(0, hostile, "", ended.processId()));
    assertThat(file).hasContent(Long.toString(ended.processId()));
    assertThat(directory.resolve("injected")).doesNotExist();
  }

  private Ended run(LaunchPrefix prefix, String... command)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(prefix.command()));
    words.addAll(List.of(command));
    Path output = directory.resolve("output");
    Path errors = directory.resolve("errors");
    Process process =
        new ProcessBuilder(words)
            .directory(directory.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    return new Ended(
        process.exitValue(), Files.readString(output), Files.readString(errors), process.pid());
  }
}
