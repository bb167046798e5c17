/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictsTest {
  @Test
  void allHoldWhenCharonDoesMoreAndProductionKeepsItsSpeed() {
    DemoResult result =
        Results.of(
            Results.run(DemoMode.ALONE, 0),
            Results.run(DemoMode.STOCK_YARN, 8),
            Results.run(DemoMode.CHARON, 24));

    assertThat(result.verdicts()).allMatch(DemoVerdict::ok);
    assertThat(result.outcome()).isEqualTo(DemoOutcome.PASSED);
  }

  @Test
  void tooLittleWorkFails() {
    DemoResult result =
        Results.of(
            Results.run(DemoMode.ALONE, 0),
            Results.run(DemoMode.STOCK_YARN, 8),
            Results.run(DemoMode.CHARON, 19));

    assertThat(failed(result)).containsExactly("Charon's verified work against stock YARN's");
    assertThat(result.outcome()).isEqualTo(DemoOutcome.FAILED);
  }

  @Test
  void aProductionThatIsSlowerThanByItselfAndThanWithStockYarnFails() {
    DemoRunResult stock = Results.run(DemoMode.STOCK_YARN, 8);
    DemoRunResult slower = Results.run(DemoMode.CHARON, 24, 0.1, 0.11);

    assertThat(failed(Results.of(stock, slower)))
        .containsExactly("production's median batch with Charon against by itself");
    assertThat(failed(Results.of(Results.run(DemoMode.STOCK_YARN, 8, 0.1, 0.12), slower)))
        .isEmpty();
  }

  @Test
  void aMachineThatDoesNotKeepItsPaceMakesARunInconclusiveWhateverItsTimes() {
    DemoResult result =
        Results.of(
            Results.run(DemoMode.STOCK_YARN, 8), Results.run(DemoMode.CHARON, 1, 0.1, 0.2, 0.107));

    assertThat(result.outcome()).isEqualTo(DemoOutcome.INCONCLUSIVE);
    assertThat(result.paceError()).isCloseTo(0.0338, within(0.0001));
  }

  @Test
  void aMachineThatSlowsDownSteadilyDoesNotCountAgainstCharon() {
    DemoResult result =
        Results.of(
            Results.run(DemoMode.ALONE, 0, 0.096, 0.098, 0.1),
            Results.run(DemoMode.STOCK_YARN, 8, 0.101, 0.103, 0.105),
            Results.run(DemoMode.CHARON, 24, 0.106, 0.111, 0.112));

    assertThat(result.outcome()).isEqualTo(DemoOutcome.PASSED);
  }

  @Test
  void productionAloneThatIsSlowerInItsWindowThanBeforeAndAfterItMakesARunInconclusive() {
    DemoResult result =
        Results.of(
            Results.run(DemoMode.ALONE, 0, 0.1, 0.104, 0.1), Results.run(DemoMode.CHARON, 24));

    assertThat(result.outcome()).isEqualTo(DemoOutcome.INCONCLUSIVE);
  }

  @Test
  void productionThatEndedTooEarlyMakesARunInconclusive() {
    DemoResult result = Results.of(Results.run(DemoMode.CHARON, 24, 0.1, 0.1, Double.NaN));

    assertThat(result.outcome()).isEqualTo(DemoOutcome.INCONCLUSIVE);
  }

  @Test
  void aWrongResultFailsAndIsNamedOnAnyMachine() {
    DemoResult result =
        Results.of(
            Results.run(DemoMode.ALONE, 0),
            Results.withOutputProblem(Results.run(DemoMode.CHARON, 24, 0.2, 0.2)));

    assertThat(result.outcome()).isEqualTo(DemoOutcome.FAILED);
    assertThat(result.outputsAreRight()).isFalse();
    assertThat(result.verdicts())
        .filteredOn(verdict -> verdict.name().equals("wrong results of best-effort"))
        .singleElement()
        .satisfies(
            verdict -> assertThat(verdict.detail()).isEqualTo("charon: sort 0 found nothing"));
  }

  @Test
  void anOutgrowingTaskMustBeKilledAndNotFail() {
    DemoRunResult run = Results.run(DemoMode.CHARON, 24);
    assertThat(failed(Results.of(Results.withOutgrowing(run, outgrowing(1, 0, true))))).isEmpty();
    for (OutgrowingJob.Outcome wrong :
        List.of(outgrowing(0, 0, true), outgrowing(1, 1, true), outgrowing(1, 0, false))) {
      assertThat(failed(Results.of(Results.withOutgrowing(run, wrong))))
          .as("%s", wrong)
          .containsExactly(
              "the outgrowing task of charon is killed, not failed, and its job completes");
    }
  }

  private static OutgrowingJob.Outcome outgrowing(int killed, int failed, boolean completed) {
    return new OutgrowingJob.Outcome(killed, failed, completed);
  }

  private static List<String> failed(DemoResult result) {
    return result.verdicts().stream()
        .filter(verdict -> !verdict.ok())
        .map(DemoVerdict::name)
        .toList();
  }
}
