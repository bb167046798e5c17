/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.scheduler.resourcemanager.OutstandingContainers.Binding;
import io.charon.scheduler.resourcemanager.OutstandingContainers.Owner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests how users share a cluster without any limit. Every heartbeat of every ApplicationMaster
 * goes through the ledger, and the cluster allocates first come, first served, as YARN's allocator
 * does.
 */
@Tag("hadoop")
@Tag("long")
class UsersShareTheClusterTest {
  private static final int PLACES = 100;

  /** An application whose master calls once per turn. */
  private final class Application {
    private final ApplicationId id = ApplicationId.newInstance(1, applications.size());
    private final Owner owner;
    private long wanted;
    private long live;
    private boolean placeable = true;
    private OutstandingContainers.Grant grant;

    Application(String user, long wanted) {
      owner = new Owner("root.batch", user);
      this.wanted = wanted;
      applications.add(this);
    }

    void call() {
      grant = ledger.claim(id, owner, Math.min(wanted, 1_000));
      long given = placeable ? Math.min(grant.asks(), PLACES - taken) : 0;
      wanted -= given;
      live += given;
      taken += given;
      ledger.settle(id, grant.asks() - given, live);
    }

    void end(long containers) {
      long ended = Math.min(live, containers);
      live -= ended;
      taken -= ended;
    }
  }

  private final List<Application> applications = new ArrayList<>();
  private long taken;
  private OutstandingContainers ledger = ledger(true);

  @Test
  void aUserThatWaitsAloneMayUseAllMemory() {
    Application alone = new Application("alice", 1_000_000);
    turns(3);
    assertThat(alone.live).isEqualTo(PLACES);
    Application modest = new Application("bob", 0);
    alone.end(30);
    turns(1);
    assertThat(alone.live).isEqualTo(PLACES);
    assertThat(modest.live).isZero();
  }

  @Test
  void freedMemoryGoesToTheUserWithLess() {
    Application first = new Application("alice", 1_000_000);
    turns(3);
    Application second = new Application("bob", 1_000_000);
    turns(2);
    for (int i = 0; i < 10; i++) {
      first.end(5);
      turns(1);
    }
    assertThat(second.live).isEqualTo(50);
    assertThat(first.live).isEqualTo(50);
    assertThat(first.grant.binding()).isEqualTo(Binding.SHARE);
  }

  @Test
  void firstComeFirstServedWhereTheOperatorSaysSo() {
    ledger = ledger(false);
    Application first = new Application("alice", 1_000_000);
    turns(3);
    Application second = new Application("bob", 1_000_000);
    for (int i = 0; i < 10; i++) {
      first.end(5);
      turns(1);
    }
    assertThat(second.live).isZero();
  }

  @Test
  void thousandsOfApplicationsOfOneUserTakeNoMoreThanOne() {
    for (int i = 0; i < 2_000; i++) {
      new Application("mallory", 1_000_000);
    }
    turns(2);
    assertThat(taken).isEqualTo(PLACES);
    Application honest = new Application("alice", 1_000);
    turns(1);
    churn(12);
    assertThat(honest.live).isEqualTo(50);
    assertThat(taken).isEqualTo(PLACES);
  }

  @Test
  void aUserUnderThousandsOfNamesLeavesOthersAtLeastOnePlace() {
    for (int i = 0; i < 2_000; i++) {
      new Application("mallory" + i, 1_000_000);
    }
    turns(2);
    Application honest = new Application("alice", 1_000);
    turns(1);
    for (Application hostile : applications) {
      if (hostile != honest) {
        hostile.wanted = Math.min(hostile.wanted, hostile.live == 0 ? 0 : 1_000);
      }
    }
    churn(4);
    assertThat(honest.live).isGreaterThanOrEqualTo(1);
    for (Application ended : List.copyOf(applications)) {
      ledger.release(ended.id);
    }
    assertThat(ledger.outstandingInQueue("root.batch")).isZero();
  }

  @Test
  void aContainerThatCannotBePlacedDelaysNoOther() {
    Application first = new Application("alice", 1_000_000);
    turns(3);
    Application unplaceable = new Application("mallory", 1_000_000);
    unplaceable.placeable = false;
    turns(2);
    first.end(80);
    turns(2);
    assertThat(first.live).as("while there is hope").isEqualTo(50);
    turns(OutstandingContainers.REFUSALS);
    assertThat(first.live).isEqualTo(PLACES);
  }

  @Test
  void aHangingMasterDelaysOthersOnlyBriefly() {
    Application first = new Application("alice", 1_000_000);
    turns(3);
    Application hanging = new Application("mallory", 1_000_000);
    turns(1);
    applications.remove(hanging);
    first.end(80);
    turns(2);
    assertThat(first.live).as("while there is hope").isEqualTo(50);
    turns(OutstandingContainers.TIMEOUT);
    assertThat(first.live).isEqualTo(PLACES);
  }

  @Test
  void aContainerThatWaitsForItsOwnLimitDelaysNoOther() {
    ledger =
        new OutstandingContainers(
            () ->
                new BestEffortLimits(
                    Settings.UNLIMITED,
                    Map.of("poor", 0L),
                    Settings.UNLIMITED,
                    true,
                    1_000,
                    1_000));
    Application first = new Application("alice", 1_000_000);
    turns(3);
    ledger.claim(ApplicationId.newInstance(2, 1), new Owner("root.poor", "bob"), 1_000);
    first.end(80);
    turns(2);
    assertThat(first.live).isEqualTo(PLACES);
  }

  @Test
  void manyUsersHaveEqualSharesAfterARestartToo() {
    for (int i = 0; i < 10; i++) {
      new Application("user" + i, 1_000_000);
      turns(1);
    }
    churn(30);
    assertThat(applications).allSatisfy(one -> assertThat(one.live).isEqualTo(10));

    Application newcomer = new Application("late", 1_000_000);
    ledger = ledger(true);
    applications.forEach(one -> ledger.open(one.id, one.owner, one.live));
    churn(30);
    assertThat(newcomer.live).isBetween(9L, 10L);
    assertThat(taken).isEqualTo(PLACES);
  }

  /** Ends containers of a third of the applications and takes two turns, repeatedly. */
  private void churn(int turns) {
    for (int turn = 0; turn < turns; turn++) {
      int part = turn;
      applications.stream()
          .filter(one -> one.id.getId() % 3 == part % 3)
          .forEach(one -> one.end(20));
      turns(2);
    }
  }

  private void turns(int count) {
    for (int i = 0; i < count; i++) {
      applications.forEach(Application::call);
      ledger.review(PLACES - taken);
    }
  }

  private static OutstandingContainers ledger(boolean fair) {
    return new OutstandingContainers(
        () ->
            new BestEffortLimits(
                Settings.UNLIMITED, Map.of(), Settings.UNLIMITED, fair, 1_000, 1_000));
  }
}
