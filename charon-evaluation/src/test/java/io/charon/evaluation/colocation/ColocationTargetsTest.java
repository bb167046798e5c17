/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.evaluation.colocation.ColocationTarget.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

  private static List<ColocationTarget> presets(double ownMillis, double ownWork) {
    // The A/A spread is 4 %, so suppress-80 counts as being as gentle as suppress-65.
    return ColocationTargets.of(
        Runs.scenario(
            "cpu",
            Runs.Of.of("alone", 0, 100, 100),
            Runs.Of.of("alone-again", 0, 104, 104),
            Runs.Of.of("best-effort-alone", 1000, 0, 0),
            Runs.Of.of("suppress-65", 200, 102, 102),
            Runs.Of.of("suppress-80", 400, 105, 105),
            Runs.Of.of("suppress-95", 900, 130, 130),
            Runs.Of.of("default", ownWork, ownMillis, ownMillis)));
  }

  @Test
  void theDefaultIsComparedWithTheMostWorkAtTheBestTail() {
    assertThat(presets(108, 380)).hasSize(3);
    assertThat(verdicts(presets(108, 380))).containsExactly(Verdict.OK, Verdict.OK, Verdict.OK);
    assertThat(presets(108, 380).get(0).name()).contains("(suppress-80)");
    assertThat(presets(108, 380).get(2).measured()).isEqualTo("80.0 %");
    assertThat(verdicts(presets(110, 379)))
        .containsExactly(Verdict.MISSED, Verdict.MISSED, Verdict.OK);
  }

  @Test
  void aTailThatIsNoiseProvesNothing() {
    List<ColocationTarget> targets =
        ColocationTargets.of(
            Runs.scenario(
                "cpu",
                Runs.Of.of("alone", 0, 100, 100),
                Runs.Of.of("alone-again", 0, 150, 150),
                Runs.Of.of("best-effort-alone", 1000, 0, 0),
                Runs.Of.of("idle", 600, 120, 120),
                Runs.Of.of("default", 500, 120, 120)));
    assertThat(verdicts(targets))
        .containsExactly(Verdict.NOT_MEASURABLE, Verdict.NOT_MEASURABLE, Verdict.OK);
  }

  @Test
  void aPresetIsNotJudgedAlone() {
    assertThat(
            ColocationTargets.of(
                Runs.scenario(
                    "cpu",
                    Runs.Of.of("alone", 0, 100, 100),
                    Runs.Of.of("alone-again", 0, 104, 104),
                    Runs.Of.of("best-effort-alone", 1000, 0, 0),
                    Runs.Of.of("idle", 200, 102, 102))))
        .isEmpty();
  }

  @Test
  void theAgentIsJudgedByTheNumberOfContainers() {
    List<ColocationTarget> targets =
        ColocationTargets.of(List.of(cost(10, 5), cost(100, 1.01), cost(500, 1.5)));
    assertThat(verdicts(targets)).containsExactly(Verdict.MISSED, Verdict.OK);
    assertThat(targets)
        .extracting(ColocationTarget::name)
        .containsExactly(
            "agent at most 1 % of one CPU with 100 containers",
            "agent at most 1.5 % of one CPU with 500 containers");
  }

  private static AgentCost cost(int containers, double percent) {
    Duration second = Duration.ofSeconds(1);
    return new AgentCost(
        containers, second, 30, second, 100, new TreeMap<>(Map.of("ticks", percent)), List.of());
  }
}
