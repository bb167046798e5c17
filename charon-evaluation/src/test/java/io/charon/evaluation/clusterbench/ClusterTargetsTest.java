/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.clusterbench;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.clusterbench.ClusterTargets.ClusterTarget;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterTargetsTest {
  private static List<ClusterTarget> targets(ClusterRunMeasurement... runs) {
    return Runs.result(runs).targets();
  }

  private static ClusterRunMeasurement batch(ClusterMode mode, double seconds, int completed) {
    return Runs.batch(mode, mode.runsBestEffort() ? 3 : 0, 0, seconds, completed);
  }

  @Test
  void charonMustCompleteMoreThanTheOthersAndLeaveProductionAsItIs() {
    List<ClusterTarget> targets =
        targets(
            batch(ClusterMode.ALONE, 20, 0),
            batch(ClusterMode.STOCK_YARN, 20, 4),
            batch(ClusterMode.ALONE_AGAIN, 20, 0),
            batch(ClusterMode.THRESHOLD, 20, 10),
            batch(ClusterMode.CHARON, 20.2, 14));

    assertThat(targets).hasSize(3).allMatch(ClusterTarget::met);
    assertThat(targets.get(1).line())
        .startsWith("ok")
        .contains("93 % (14 of 15 jobs) against 27 % (4 of 15 jobs): 3.50 times");
  }

  @Test
  void ofTasksEachCounts() {
    ClusterResult jobs =
        Runs.result(
            batch(ClusterMode.ALONE, 20, 0),
            batch(ClusterMode.STOCK_YARN, 20, 4),
            batch(ClusterMode.ALONE_AGAIN, 20, 0),
            batch(ClusterMode.CHARON, 20, 14));

    assertThat(ClusterTargets.of(jobs.comparisons().get(0), BestEffortKind.TASKS).get(1).measured())
        .isEqualTo("23 % (42 of 180 tasks) against 7 % (12 of 180 tasks): 3.50 times");
  }

  @Test
  void aMissIsCalledSo() {
    List<ClusterTarget> targets =
        targets(
            batch(ClusterMode.ALONE, 20, 0),
            batch(ClusterMode.STOCK_YARN, 20, 5),
            batch(ClusterMode.ALONE_AGAIN, 20, 0),
            batch(ClusterMode.THRESHOLD, 20, 14),
            batch(ClusterMode.CHARON, 20.6, 14));

    assertThat(targets).hasSize(3).noneMatch(ClusterTarget::met);
    assertThat(targets.get(0).line()).startsWith("MISSED").contains("+3.0 % (A/A spread 0.0 %)");
  }

  @Test
  void aRunInWhichProductionFailedIsAMissAlsoIfOthersWereMeasured() {
    List<ClusterTarget> targets =
        targets(
            Runs.batch(ClusterMode.ALONE, 0, 0, 20, 0),
            Runs.batch(ClusterMode.ALONE_AGAIN, 0, 0, 20, 0),
            Runs.batch(ClusterMode.CHARON, 3, 0, 20, 14),
            Runs.batch(ClusterMode.ALONE, 0, 1, 20, 0),
            Runs.batch(ClusterMode.ALONE_AGAIN, 0, 1, 20, 0),
            Runs.failed(Runs.batch(ClusterMode.CHARON, 3, 1, 20, 14)));

    assertThat(targets).singleElement().matches(target -> !target.met());
    assertThat(targets.get(0).line())
        .isEqualTo(
            "MISSED  batch at X3, charon: production p90 within 2 % of alone, A/A spread at most"
                + " 2 %: not measured: production failed");
  }

  @Test
  void aRunAloneInWhichProductionFailedIsAMissAlsoIfOthersWereMeasured() {
    List<ClusterTarget> targets =
        targets(
            Runs.batch(ClusterMode.ALONE, 0, 0, 20, 0),
            Runs.batch(ClusterMode.ALONE_AGAIN, 0, 0, 20, 0),
            Runs.batch(ClusterMode.CHARON, 3, 0, 20, 14),
            Runs.failed(Runs.batch(ClusterMode.ALONE, 0, 1, 20, 0)),
            Runs.batch(ClusterMode.ALONE_AGAIN, 0, 1, 20, 0),
            Runs.batch(ClusterMode.CHARON, 3, 1, 20, 14));

    assertThat(targets).singleElement().matches(target -> !target.met());
    assertThat(targets.get(0).measured()).isEqualTo("not measured: production alone failed");
  }

  @Test
  void aMachineOnWhichEqualRunsDifferByMoreCannotTell() {
    List<ClusterTarget> targets =
        targets(
            batch(ClusterMode.ALONE, 20, 0),
            batch(ClusterMode.ALONE_AGAIN, 21, 0),
            batch(ClusterMode.CHARON, 20.2, 14));

    assertThat(targets).singleElement().matches(target -> !target.met());
    assertThat(targets.get(0).line()).contains("-1.5 % (A/A spread 5.0 %)");
  }

  @Test
  void nothingCompletedIsNotMoreThanNothing() {
    List<ClusterTarget> targets =
        targets(
            batch(ClusterMode.ALONE, 20, 0),
            batch(ClusterMode.STOCK_YARN, 20, 0),
            batch(ClusterMode.ALONE_AGAIN, 20, 0),
            batch(ClusterMode.CHARON, 20, 0));

    assertThat(targets).extracting(ClusterTarget::met).containsExactly(true, false);
  }

  @Test
  void aServiceIsJudgedByThroughputAndTail() {
    List<ClusterTarget> targets =
        targets(
            Runs.service(ClusterMode.ALONE, 0, 600, 1),
            Runs.service(ClusterMode.ALONE_AGAIN, 0, 600, 1),
            Runs.service(ClusterMode.CHARON, 3, 594, 1.2));

    assertThat(targets).extracting(ClusterTarget::met).containsExactly(true, false);
    assertThat(targets.get(1).measured()).startsWith("1.20 times");
  }

  @Test
  void aServiceMustNotSufferMoreThanBesideStockYarn() {
    assertThat(besideStockYarn(0.9).met()).isTrue();
    assertThat(besideStockYarn(0.9).measured()).isEqualTo("0.45 times (0.23 to 0.90)");
    assertThat(besideStockYarn(1.8).met()).isFalse();
  }

  private static ClusterTarget besideStockYarn(double millis) {
    List<ClusterTarget> targets =
        targets(
            Runs.service(ClusterMode.STOCK_YARN, 3, 600, 2),
            Runs.service(ClusterMode.CHARON, 3, 600, millis));
    assertThat(targets).hasSize(1);
    return targets.get(0);
  }
}
