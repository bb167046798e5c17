/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.scheduler.resourcemanager.OutstandingContainers.Binding;
import io.charon.scheduler.resourcemanager.OutstandingContainers.Grant;
import io.charon.scheduler.resourcemanager.OutstandingContainers.Owner;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hadoop")
class OutstandingContainersTest {

  private static final Owner ALICE = new Owner("root.batch", "alice");
  private static final Owner BOB = new Owner("root.batch", "bob");

  @Test
  void aClaimCountsAtOnce() {
    OutstandingContainers ledger = ledger(10, Settings.UNLIMITED);
    assertThat(ledger.claim(application(1), ALICE, 7)).isEqualTo(new Grant(7, Binding.NONE));
    assertThat(ledger.claim(application(2), BOB, 7)).isEqualTo(new Grant(3, Binding.QUEUE));
  }

  @Test
  void manyThreadsTogetherGetNoMoreThanTheLimit() {
    OutstandingContainers ledger = ledger(100, Settings.UNLIMITED);
    AtomicLong granted = new AtomicLong();
    IntStream.range(0, 400)
        .parallel()
        .forEach(id -> granted.addAndGet(ledger.claim(application(id), ALICE, 1).asks()));
    assertThat(granted).hasValue(100);
  }

  @Test
  void asksAboveAnEqualShareAreTakenBackWhileAnotherWaits() {
    OutstandingContainers ledger = ledger(10, Settings.UNLIMITED);
    assertThat(ledger.claim(application(1), ALICE, 50).asks()).isEqualTo(10);
    assertThat(ledger.claim(application(2), BOB, 50).asks()).isZero();
    assertThat(ledger.claim(application(1), ALICE, 50).asks()).isEqualTo(5);
    assertThat(ledger.claim(application(2), BOB, 50).asks()).isEqualTo(5);
  }

  @Test
  void containersThatLiveAreNeverTakenBack() {
    OutstandingContainers ledger = ledger(10, Settings.UNLIMITED);
    ledger.claim(application(1), ALICE, 10);
    ledger.settle(application(1), 0, 10);
    assertThat(ledger.claim(application(2), BOB, 50).asks()).isZero();
    assertThat(ledger.claim(application(1), ALICE, 50).asks()).isZero();
    assertThat(ledger.outstandingInQueue("root.batch")).isEqualTo(10);
  }

  @Test
  void whatContentApplicationsDoNotNeedIsSharedByTheOthers() {
    OutstandingContainers ledger = ledger(10, Settings.UNLIMITED);
    ledger.claim(application(1), ALICE, 2);
    ledger.claim(application(2), ALICE, 50);
    ledger.claim(application(3), BOB, 50);
    ledger.claim(application(2), ALICE, 50);
    assertThat(ledger.claim(application(3), BOB, 50).asks()).isEqualTo(4);
    assertThat(ledger.claim(application(1), ALICE, 2).asks()).isEqualTo(2);
  }

  @Test
  void aContainerThatWaitsForItsUsersLimitDelaysNoOtherInTheQueue() {
    OutstandingContainers ledger = ledger(10, 2);
    assertThat(ledger.claim(application(1), ALICE, 50)).isEqualTo(new Grant(2, Binding.USER));
    assertThat(ledger.claim(application(2), BOB, 2)).isEqualTo(new Grant(2, Binding.NONE));
    for (int id = 3; id <= 5; id++) {
      assertThat(ledger.claim(application(id), new Owner("root.batch", "user" + id), 2).asks())
          .isEqualTo(2);
    }
  }

  @Test
  void aLoweredNumberAndAReleaseMakeRoom() {
    OutstandingContainers ledger = ledger(10, Settings.UNLIMITED);
    ledger.claim(application(1), ALICE, 10);
    ledger.claim(application(1), ALICE, 4);
    assertThat(ledger.claim(application(2), BOB, 9).asks()).isEqualTo(6);
    ledger.release(application(1));
    assertThat(ledger.claim(application(2), BOB, 9).asks()).isEqualTo(9);
    ledger.settle(application(1), 5, 5);
    assertThat(ledger.outstandingInQueue("root.batch")).isEqualTo(9);
  }

  @Test
  void anApplicationThatMovesIsCountedInItsNewQueue() {
    OutstandingContainers ledger = ledger(10, Settings.UNLIMITED);
    ledger.claim(application(1), ALICE, 10);
    ledger.claim(application(1), new Owner("root.nightly", "alice"), 10);
    assertThat(ledger.outstandingInQueue("root.batch")).isZero();
    assertThat(ledger.claim(application(2), BOB, 10).asks()).isEqualTo(10);
  }

  private static OutstandingContainers ledger(long perQueue, long perUser) {
    return new OutstandingContainers(
        () ->
            new BestEffortLimits(
                perQueue, Map.of(), perUser, true, Settings.UNLIMITED, Settings.UNLIMITED));
  }

  private static ApplicationId application(int id) {
    return ApplicationId.newInstance(1, id);
  }
}
