/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimedProgramTest {
  @TempDir private Path directory;

  @Test
  void saysWhatAProgramSaidAndHowItEnded() throws Exception {
    TimedProgram.Result result =
        TimedProgram.run(shell("echo out; echo err >&2; exit 3"), Duration.ofMinutes(1));

    assertThat(result).isEqualTo(new TimedProgram.Result(3, "out\nerr\n"));
  }

  @Test
  void whatIsLateIsNamedAndEndsWithAllItStarted() throws Exception {
    Path pids = directory.resolve("pids");
    String late = "sleep 300 & echo $! > " + pids + "; echo $$ >> " + pids + "; echo begun; wait";

    assertThatThrownBy(() -> TimedProgram.run(shell(late), Duration.ofMillis(1500)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("not within 1 s: sh -c sleep 300")
        .hasMessageEndingWith("begun\n");

    assertThat(Files.readAllLines(pids))
        .hasSize(2)
        .noneMatch(
            pid -> ProcessHandle.of(Long.parseLong(pid)).map(ProcessHandle::isAlive).orElse(false));
  }

  private static ProcessBuilder shell(String commands) {
    return new ProcessBuilder("sh", "-c", commands);
  }
}
