/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class FailureMessageTest {
  @Command(name = "charon")
  private record Failing(Exception failure) implements Callable<Integer> {
    @Override
    public Integer call() throws Exception {
      throw failure;
    }
  }

  private final StringWriter err = new StringWriter();

  private String said(Exception failure) throws Exception {
    CommandLine command = new CommandLine(new Failing(failure)).setErr(new PrintWriter(err, true));
    assertThat(new FailureMessage().handleExecutionException(failure, command, null)).isEqualTo(1);
    return err.toString();
  }

  @Test
  void anExceptionThatNamesAFileAloneAlsoSaysWhatIsWrongWithIt() throws Exception {
    assertThat(said(new AccessDeniedException("/root/x.json")))
        .isEqualToNormalizingNewlines(
            "charon: java.nio.file.AccessDeniedException: /root/x.json\n");
  }

  @Test
  void furtherLinesAreIndentedAndCannotRewriteTheScreen() throws Exception {
    assertThat(said(new IOException("it ended:\ncharon: done\u001b[2J")))
        .isEqualToNormalizingNewlines("charon: it ended:\n  charon: done\\u{1b}[2J\n");
  }

  @Test
  void anErrorOfTheProgramKeepsItsStackTrace() {
    assertThatThrownBy(() -> said(new IllegalStateException("a bug")))
        .isInstanceOf(IllegalStateException.class);
    assertThat(err.toString()).isEmpty();
  }
}
