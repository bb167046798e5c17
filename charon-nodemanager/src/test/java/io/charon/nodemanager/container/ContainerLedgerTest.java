/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.mechanism.WorkingSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContainerLedgerTest {
  private final ContainerLedger ledger = new ContainerLedger();

  @Test
  void keepsTheHighestMeasurement() {
    ledger.started(ContainerInfos.bestEffort("c1", 100));
    ledger.measured(Map.of("c1", WorkingSet.of(30)));
    ledger.measured(Map.of("c1", WorkingSet.of(70)));
    ledger.measured(Map.of("c1", WorkingSet.of(50)));

    ContainerLedger.Entry entry = ledger.find("c1").orElseThrow();
    assertThat(entry.workingSetBytes()).isEqualTo(50);
    assertThat(entry.peakBytes()).isEqualTo(70);
    assertThat(entry.killReason()).isEmpty();
  }

  @Test
  void aContainerFoundAgainKeepsWhatIsKnown() {
    ledger.started(ContainerInfos.bestEffort("c1", 100));
    ledger.measured(Map.of("c1", WorkingSet.of(70)));
    ledger.killedForMemory("c1", "low memory");
    ledger.started(ContainerInfos.bestEffort("c1", 100));

    ContainerLedger.Entry entry = ledger.find("c1").orElseThrow();
    assertThat(entry.peakBytes()).isEqualTo(70);
    assertThat(entry.killReason()).contains("low memory");
  }

  @Test
  void oneThatYarnStartsAgainIsNotKilledAnyMore() {
    ledger.started(ContainerInfos.bestEffort("c1", 100));
    ledger.measured(Map.of("c1", WorkingSet.of(70)));
    ledger.killedForMemory("c1", "low memory");
    ledger.stopped("c1");
    ledger.started(ContainerInfos.bestEffort("c1", 100));

    ContainerLedger.Entry entry = ledger.find("c1").orElseThrow();
    assertThat(entry.stopped()).isFalse();
    assertThat(entry.killReason()).isEmpty();
    assertThat(entry.peakBytes()).isEqualTo(70);
  }

  @Test
  void oneWhoseProcessesHaveEndedKeepsItsClass() {
    ledger.started(ContainerInfos.bestEffort("c1", 100));
    ledger.stopped("c1");

    assertThat(ledger.changed(ContainerInfos.production("c1", 100))).isFalse();

    assertThat(ledger.find("c1").orElseThrow().info())
        .isEqualTo(ContainerInfos.bestEffort("c1", 100));
  }

  @Test
  void strangersAreIgnored() {
    ledger.measured(Map.of("stranger", WorkingSet.of(1)));
    ledger.killedForMemory("stranger", "low memory");
    ledger.stopped("stranger");

    assertThat(ledger.entries()).isEmpty();
    assertThat(ledger.remove("stranger")).isEmpty();
  }

  @Test
  void keepsWhatIsKnownOfOneWhoseProcessesHaveEnded() {
    ledger.started(ContainerInfos.bestEffort("c1", 100));
    ledger.measured(Map.of("c1", WorkingSet.of(70)));
    ledger.killedForMemory("c1", "low memory");
    assertThat(ledger.find("c1").orElseThrow().stopped()).isFalse();

    ledger.stopped("c1");

    ContainerLedger.Entry entry = ledger.find("c1").orElseThrow();
    assertThat(entry.stopped()).isTrue();
    assertThat(entry.peakBytes()).isEqualTo(70);
    assertThat(entry.killReason()).contains("low memory");
  }

  @Test
  void forgetsOneThatEnded() {
    ledger.started(ContainerInfos.bestEffort("c1", 100));

    assertThat(ledger.remove("c1")).isPresent();
    assertThat(ledger.find("c1")).isEmpty();
  }

  @Test
  void onlyBestEffortIsChargedByUse() {
    ledger.started(ContainerInfos.bestEffort("c1", 100));
    ledger.started(ContainerInfos.production("p1", 100));
    ledger.measured(Map.of("c1", WorkingSet.of(30), "p1", WorkingSet.of(60)));

    assertThat(ledger.bestEffortWorkingSets()).isEqualTo(Map.of("c1", 30L));
  }

  @Test
  void oneThatWasNotMeasuredLastHasNoCurrentWorkingSet() {
    ledger.started(ContainerInfos.bestEffort("c1", 100));
    ledger.started(ContainerInfos.bestEffort("c2", 100));
    ledger.measured(Map.of("c1", WorkingSet.of(30)));
    ledger.measured(Map.of("c2", WorkingSet.of(20)));

    assertThat(ledger.bestEffortWorkingSets()).isEqualTo(Map.of("c2", 20L));
    assertThat(ledger.find("c1").orElseThrow().workingSetBytes()).isEqualTo(30);
  }
}
