/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class BenchMicroCommandTest {
  /** JMH's lock is for the whole machine; nothing is measured here that others could disturb. */
  private static final String IGNORE_LOCK = "jmh.ignoreLock";

  @BeforeAll
  static void runBesideOthers() {
    System.setProperty(IGNORE_LOCK, "true");
  }

  @AfterAll
  static void forget() {
    System.clearProperty(IGNORE_LOCK);
  }

  @Test
  void oneBenchmarkThatThrowsIsAFailureAlthoughAnotherOneWorks() {
    StringWriter err = new StringWriter();
    int code =
        BenchCommand.commandLine(Path.of("/nonexistent"))
            .setErr(new PrintWriter(err))
            .execute("micro", "--quick", "--include", "HalfBrokenBenchmark");

    assertThat(err.toString())
        .isEqualToIgnoringNewLines("charon bench micro: a benchmark failed; its output is above\n");
    assertThat(code).isEqualTo(1);
  }
}
