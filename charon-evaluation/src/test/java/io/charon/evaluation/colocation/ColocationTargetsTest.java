/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.colocation.ColocationTarget.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ColocationTargetsTest {
  private static List<ColocationTarget> judge(
      String scenario, double again, double regulated, double work, Runs.Of... others) {
    List<Runs.Of> all =
        new ArrayList<>(
            List.of(
                Runs.Of.of("alone", 0, 100, 100),
                Runs.Of.of("alone-again", 0, again, again),
                Runs.Of.of("best-effort-alone", 1000, 0, 0),
                Runs.Of.of("cpu", work, regulated, regulated)));
    all.addAll(List.of(others));
    return ColocationTargets.of(Runs.scenario(scenario, all.toArray(Runs.Of[]::new)));
  }

  private static List<Verdict> verdicts(List<ColocationTarget> targets) {
    return targets.stream().map(ColocationTarget::verdict).toList();
  }

  @Test
  void theForegroundMayLoseSoMuch() {
    assertThat(verdicts(judge("cpu", 100, 104, 500)))
        .containsExactly(Verdict.OK, Verdict.OK, Verdict.NOT_MEASURABLE);
    assertThat(verdicts(judge("cpu", 100, 108, 500)))
        .containsExactly(Verdict.OK, Verdict.MISSED, Verdict.NOT_MEASURABLE);
    assertThat(verdicts(judge("cpu", 100, 112, 500)))
        .containsExactly(Verdict.MISSED, Verdict.MISSED, Verdict.NOT_MEASURABLE);
  }

  @Test
  void whatTwoEqualRunsDifferByCannotBeMeasured() {
    assertThat(verdicts(judge("cpu", 107, 100, 500)))
        .containsExactly(Verdict.OK, Verdict.NOT_MEASURABLE, Verdict.NOT_MEASURABLE);
    assertThat(verdicts(judge("cpu", 80, 100, 500)))
        .containsExactly(Verdict.NOT_MEASURABLE, Verdict.NOT_MEASURABLE, Verdict.NOT_MEASURABLE);
    // A large slowdown is a miss even on a noisy machine.
    assertThat(verdicts(judge("cpu", 80, 300, 500)))
        .containsExactly(Verdict.MISSED, Verdict.MISSED, Verdict.NOT_MEASURABLE);
  }

  @Test
  void theNetworkIsJudgedByItsMeanToo() {
    assertThat(judge("network", 100, 104, 500))
        .extracting(ColocationTarget::name)
        .anyMatch(name -> name.contains("mean transfer time"));
  }

  @Test
  void onlyAStaticLimitThatIsAsKindToTheForegroundCompares() {
    Runs.Of gentle = Runs.Of.of("static-quota-10", 300, 103, 103);
    Runs.Of rude = Runs.Of.of("static-quota-50", 900, 150, 150);
    ColocationTarget met = judge("cpu", 100, 104, 400, gentle, rude).get(2);
    assertThat(met.verdict()).isEqualTo(Verdict.OK);
    assertThat(met.measured()).startsWith("1.33 times").contains("static-quota-10");
    assertThat(judge("cpu", 100, 104, 380, gentle, rude).get(2).verdict())
        .isEqualTo(Verdict.MISSED);
    assertThat(judge("cpu", 100, 101, 400, gentle, rude).get(2).verdict())
        .isEqualTo(Verdict.NOT_MEASURABLE);
    // A limit that costs production nothing need not be improved on.
    Runs.Of free = Runs.Of.of("static-quota-10", 300, 100, 100);
    assertThat(judge("cpu", 100, 90, 400, free, rude).get(2).verdict()).isEqualTo(Verdict.OK);
  }

  @Test
  void theAgentIsJudgedWithAHundredContainers() {
    assertThat(
            ColocationTargets.of(
                List.of(
                    new AgentCost(10, 30, 100, 0.01),
                    new AgentCost(100, 30, 10_100, 1.01),
                    new AgentCost(500, 30, 100, 5))))
        .extracting(ColocationTarget::verdict)
        .containsExactly(Verdict.MISSED);
  }
}
