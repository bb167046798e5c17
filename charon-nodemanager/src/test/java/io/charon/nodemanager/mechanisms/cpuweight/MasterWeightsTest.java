/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuweight;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.Counter;
import io.charon.core.scheduler.ExecutionType;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.report.audit.AuditLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MasterWeightsTest {
  private static final ContainerInfo MASTER = ContainerInfos.master("container_1", 1);

  private Optional<Boolean> bestEffort = Optional.empty();
  private int questions;
  private Duration used = Duration.ZERO;
  private long nanos;
  private final List<String> weighed = new ArrayList<>();
  private Optional<String> result = Optional.of("applied: yes");
  private MasterWeights weights;

  @TempDir private Path directory;

  @BeforeEach
  void lower() {
    weights =
        new MasterWeights(
            application -> {
              assertThat(application).isEqualTo(MASTER.applicationId());
              questions++;
              return bestEffort;
            },
            this::weigh,
            container -> used,
            () -> nanos,
            Audit.direct(
                Optional.of(new AuditLog(directory, 1 << 20)), Clock.systemUTC(), new Counter()));
    weights.change(OptionalInt.of(10), false);
  }

  private Optional<String> weigh(ContainerInfo container, int percent, boolean idle) {
    weighed.add(container.containerId() + " " + percent + (idle ? " idle" : ""));
    return result;
  }

  @Test
  void aMasterOfABestEffortApplicationWeighsLessFromItsLaunchOn() {
    bestEffort = Optional.of(true);
    weights.started(MASTER);
    assertThat(weighed).containsExactly("container_1 10");
    assertThat(weights.weightOf("container_1")).hasValue(10);

    weights.tick();
    assertThat(weighed).as("once").hasSize(1);
  }

  @Test
  void eachWeightThatIsSetHasItsLineInTheAudit() throws IOException {
    weights.change(OptionalInt.of(10), true);
    bestEffort = Optional.of(true);
    weights.started(MASTER);
    nanos = MasterWeights.STARVED_AGE.toNanos();
    weights.tick();
    result = Optional.empty(); // as where the node has no cgroups
    weights.change(OptionalInt.of(20), true);
    result = Optional.of("failed: why");
    weights.change(OptionalInt.empty(), false);

    List<String> lines = Files.readAllLines(directory.resolve("audit.jsonl"));
    assertThat(lines)
        .hasSize(3)
        .allMatch(line -> line.contains("\"regulator\":\"master-weight\""))
        .allMatch(line -> line.contains("\"action\":\"weigh\",\"target\":\"container_1\""));
    assertThat(lines.get(0))
        .contains("\"limit\":10.0", "applied: yes", "\"its application is best-effort\"");
    assertThat(lines.get(1)).contains("it hardly ran while it was idle");
    assertThat(lines.get(2))
        .contains("\"limit\":100.0", "failed: why", "its weight is production's");
  }

  @Test
  void oneThatIsNotKnownAtItsLaunchIsProductionAndWeighsLessAsSoonAsItIs() {
    weights.started(MASTER);
    weights.tick();
    assertThat(weighed).isEmpty();
    assertThat(weights.weightOf("container_1")).isEmpty();

    bestEffort = Optional.of(true);
    weights.tick();
    assertThat(weighed).containsExactly("container_1 10");
  }

  @Test
  void productionsMasterKeepsItsWeightAndIsNotAskedAboutAgain() {
    bestEffort = Optional.of(false);
    weights.started(MASTER);
    weights.tick();

    assertThat(weighed).isEmpty();
    assertThat(questions).isEqualTo(1);
  }

  @Test
  void tasksOfAnyApplicationAreNotTouched() {
    bestEffort = Optional.of(true);
    weights.started(ContainerInfos.production("container_2", 1));
    weights.started(ContainerInfos.bestEffort("container_3", 1));
    weights.started(
        new ContainerInfo(
            "container_4", MASTER.owner(), ExecutionType.OPPORTUNISTIC, true, MASTER.job(), 1, 1));
    weights.tick();

    assertThat(questions).isZero();
    assertThat(weighed).isEmpty();
  }

  @Test
  void anEndedContainerIsForgotten() {
    weights.started(MASTER);
    weights.stopped(MASTER.containerId());
    bestEffort = Optional.of(true);
    weights.tick();

    assertThat(weighed).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1, 10", "10, 10", "11, 9", "40, 2", "100, 1", "300, 1"})
  void allTogetherWeighNoMoreThanOneProductionContainerWhileTheLeastWeightAllowsIt(
      int masters, int each) {
    bestEffort = Optional.of(true);
    for (int i = 0; i < masters; i++) {
      weights.started(ContainerInfos.master("container_" + i, 1));
    }

    for (int i = 0; i < masters; i++) {
      assertThat(weights.weightOf("container_" + i)).hasValue(each);
    }
  }

  @Test
  void theRemainingContainersWeighMoreAgain() {
    bestEffort = Optional.of(true);
    for (int i = 0; i < 20; i++) {
      weights.started(ContainerInfos.master("container_" + i, 1));
    }
    assertThat(weights.weightOf("container_19")).hasValue(5);

    for (int i = 0; i < 10; i++) {
      weights.stopped("container_" + i);
    }
    assertThat(weights.weightOf("container_19")).hasValue(10);
    assertThat(weighed).endsWith("container_19 10");
  }

  @Test
  void productionsMastersDoNotCountAsOnesOfTheClass() {
    bestEffort = Optional.of(false);
    for (int i = 0; i < 40; i++) {
      weights.started(ContainerInfos.master("production_" + i, 1));
    }
    bestEffort = Optional.of(true);
    weights.started(MASTER);

    assertThat(weighed).containsExactly("container_1 10");
  }

  @Test
  void turnedOffItRestoresWeightsAndTurnedOnItLowersRunningMasters() {
    bestEffort = Optional.of(true);
    weights.started(MASTER);

    weights.change(OptionalInt.empty(), false);
    assertThat(weights.weightOf("container_1")).isEmpty();
    weights.change(OptionalInt.of(20), false);

    assertThat(weighed).containsExactly("container_1 10", "container_1 100", "container_1 20");
  }

  @Test
  void aNewRuleAppliesToRunningContainers() {
    bestEffort = Optional.of(true);
    weights.started(MASTER);

    bestEffort = Optional.empty(); // no answer for a while
    weights.change(OptionalInt.of(10), false);
    assertThat(weighed).as("as it was until somebody knows").containsExactly("container_1 10");

    bestEffort = Optional.of(false);
    weights.tick();
    assertThat(weighed).containsExactly("container_1 10", "container_1 100");
  }

  @Test
  void oneThatIsFoundRunningGetsItsWeightWhateverAnEarlierNodeManagerGaveIt() {
    weights.moved(MASTER);
    assertThat(weighed).as("not known yet").isEmpty();

    bestEffort = Optional.of(false);
    weights.tick();
    assertThat(weighed).containsExactly("container_1 100");
  }

  @Test
  void oneThatIsDemotedIsNoneOfTheClass() {
    bestEffort = Optional.of(true);
    weights.started(MASTER);
    weights.moved(
        new ContainerInfo(
            "container_1", MASTER.owner(), ExecutionType.OPPORTUNISTIC, true, MASTER.job(), 1, 1));

    assertThat(weights.weightOf("container_1")).isEmpty();
    weights.change(OptionalInt.empty(), false);
    assertThat(weighed).containsExactly("container_1 10");
  }

  @Test
  void anIdleOneGetsItsWeightBackWhenItIsTurnedOff() {
    weights.change(OptionalInt.of(10), true);
    bestEffort = Optional.of(true);
    weights.started(MASTER);
    weights.tick();
    assertThat(weights.weightOf("container_1")).hasValue(10);

    weights.change(OptionalInt.of(10), false);
    weights.change(OptionalInt.of(10), true);
    weights.change(OptionalInt.empty(), true);

    assertThat(weighed)
        .containsExactly(
            "container_1 10 idle", "container_1 10", "container_1 10 idle", "container_1 100");
  }

  @Test
  void oneThatProductionLetsHardlyRunIsNoLongerIdle() {
    weights.change(OptionalInt.of(10), true);
    bestEffort = Optional.of(true);
    weights.started(MASTER);

    used = MasterWeights.STARVED.minusMillis(1);
    nanos = MasterWeights.STARVED_AGE.minusMillis(1).toNanos();
    weights.tick();
    assertThat(weighed).as("too early to tell").containsExactly("container_1 10 idle");

    nanos = MasterWeights.STARVED_AGE.toNanos();
    weights.tick();
    used = Duration.ofMinutes(1);
    nanos *= 2;
    weights.tick();
    assertThat(weighed).containsExactly("container_1 10 idle", "container_1 10");
  }

  @Test
  void oneThatHasStartedStaysIdleHoweverLittleItDoesThen() {
    weights.change(OptionalInt.of(10), true);
    bestEffort = Optional.of(true);
    weights.started(MASTER);

    used = MasterWeights.STARVED;
    nanos = MasterWeights.STARVED_AGE.toNanos();
    weights.tick();
    nanos *= 100;
    weights.tick();

    assertThat(weighed).containsExactly("container_1 10 idle");
  }
}
