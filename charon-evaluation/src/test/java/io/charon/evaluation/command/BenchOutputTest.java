/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.charon.evaluation.killer.Report;
import io.charon.evaluation.killer.TimeBudget;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchOutputTest {
  @Test
  void whatIsWrittenElsewhereSaysTooThatTheTimeWasOver() throws Exception {
    TimeBudget budget = TimeBudget.of(Duration.ZERO);
    assertThat(budget.isExhausted(1)).isTrue();
    StringWriter out = new StringWriter();

    Report shown =
        new BenchOutput()
            .show(
                new Report(
                    List.of("mode"),
                    List.of(List.of("none")),
                    List.of(),
                    new ObjectMapper().createObjectNode(),
                    true),
                budget,
                new PrintWriter(out));

    assertThat(shown.remarks()).anyMatch(line -> line.startsWith("Cut short: "));
    assertThat(shown.json().path("cutShort").asBoolean()).isTrue();
    assertThat(out.toString()).contains("Cut short: ");
  }
}
