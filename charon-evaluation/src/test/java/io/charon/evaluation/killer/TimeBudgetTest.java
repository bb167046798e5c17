/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.killer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimeBudgetTest {
  private final Report report =
      new Report(
          List.of("n"),
          List.of(List.of("1")),
          List.of("as measured"),
          JsonNodeFactory.instance.objectNode().put("n", 1),
          true);

  @Test
  void withoutALimitNothingIsLeftOut() {
    TimeBudget budget = TimeBudget.unlimited();

    assertThat(budget.isExhausted(1)).isFalse();
    assertThat(report.within(budget).remarks()).containsExactly("as measured");
    assertThat(report.within(budget).json().path("cutShort").asBoolean(true)).isFalse();
  }

  @Test
  void theFirstStepIsNeverLeftOut() {
    TimeBudget budget = TimeBudget.of(Duration.ZERO);

    assertThat(budget.isExhausted(0)).isFalse();
    assertThat(budget.cutShort()).isFalse();
  }

  @Test
  void whatWasLeftOutIsSaid() {
    TimeBudget budget = TimeBudget.of(Duration.ZERO);

    assertThat(budget.isExhausted(1)).isTrue();
    Report marked = report.within(budget);
    assertThat(marked.remarks()).hasSize(2).first().asString().startsWith("Cut short");
    assertThat(marked.json().path("cutShort").asBoolean()).isTrue();
    assertThat(marked.json().path("n").asInt()).isEqualTo(1);
    assertThat(report.json().has("cutShort")).as("the report itself").isFalse();
  }
}
