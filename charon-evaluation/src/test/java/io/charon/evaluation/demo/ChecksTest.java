/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChecksTest {
  @Test
  void allHoldWhenCharonIsFasterAndProductionKeepsItsSpeed() {
    DemoResult result =
        Results.of(
            Results.run(DemoMode.ALONE, 0, 100),
            Results.run(DemoMode.MERCURY, 4, 101),
            Results.run(DemoMode.CHARON, 6, 109));

    assertThat(result.checks()).hasSize(7).allMatch(Check::ok);
    assertThat(result.ok()).isTrue();
  }

  @Test
  void tooFewJobsFail() {
    assertThat(
            failed(
                Results.run(DemoMode.ALONE, 0, 100),
                Results.run(DemoMode.MERCURY, 1, 100),
                Results.run(DemoMode.CHARON, 1, 100)))
        .containsExactly(
            "mercury completes at least 3 jobs", "charon completes at least 1.5x as many");
  }

  @Test
  void aSlowProductionFails() {
    assertThat(failed(Results.run(DemoMode.ALONE, 0, 100), Results.run(DemoMode.CHARON, 5, 110.2)))
        .containsExactly("production with charon within 10 % of alone");
  }

  @Test
  void anOutgrowingTaskMustBeKilledAndNotFail() {
    RunResult run = Results.run(DemoMode.CHARON, 5, 100);
    assertThat(failed(Results.withOutgrowing(run, new OutgrowingJob.Outcome(1, 0, true))))
        .isEmpty();
    for (OutgrowingJob.Outcome wrong :
        List.of(
            new OutgrowingJob.Outcome(0, 0, true),
            new OutgrowingJob.Outcome(1, 1, true),
            new OutgrowingJob.Outcome(1, 0, false))) {
      assertThat(failed(Results.withOutgrowing(run, wrong)))
          .as("%s", wrong)
          .containsExactly(
              "the outgrowing task of charon is killed, not failed, and its job completes");
    }
  }

  @Test
  void aWrongOutputFailsAndIsNamed() {
    DemoResult result = Results.of(Results.withOutputProblem(Results.run(DemoMode.CHARON, 5, 100)));

    assertThat(result.wordCountsMatch()).isFalse();
    assertThat(result.checks())
        .filteredOn(check -> !check.ok())
        .singleElement()
        .satisfies(check -> assertThat(check.detail()).isEqualTo("charon: job-0 is not sorted"));
  }

  @Test
  void mediansOfRepeatedRunsAreJudged() {
    DemoResult result =
        Results.of(
            Results.run(DemoMode.ALONE, 0, 100),
            Results.run(DemoMode.CHARON, 5, 150),
            Results.run(DemoMode.CHARON, 5, 101),
            Results.run(DemoMode.CHARON, 5, 99));

    assertThat(result.ok()).isTrue();
  }

  private static List<String> failed(RunResult... runs) {
    return Results.of(runs).checks().stream()
        .filter(check -> !check.ok())
        .map(Check::name)
        .toList();
  }
}
