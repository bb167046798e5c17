/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.scheduler.resourcemanager;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.scheduler.resourcemanager.UserShare.Demand;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UserShareTest {

  @Test
  void nothingIsSharedOutWhileThereArePlacesForAll() {
    assertThat(UserShare.of(100, List.of())).isEqualTo(Settings.UNLIMITED);
    assertThat(UserShare.of(100, List.of(new Demand(60, 10), new Demand(0, 30))))
        .isEqualTo(Settings.UNLIMITED);
  }

  @Test
  void whatModestUsersLeaveIsSharedEquallyByTheOthers() {
    assertThat(UserShare.of(100, List.of(new Demand(100, 900), new Demand(0, 50)))).isEqualTo(50);
    assertThat(
            UserShare.of(
                100, List.of(new Demand(5, 0), new Demand(0, 5), new Demand(90, 9), demand(900))))
        .isEqualTo(45);
  }

  @Test
  void containersBeyondThePlacesThatNodesTellCountToo() {
    assertThat(UserShare.of(0, List.of(new Demand(100, 0), demand(100)))).isEqualTo(50);
  }

  @Test
  void everyoneMayHaveOneHoweverManyUsersThereAre() {
    List<Demand> crowd = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      crowd.add(demand(1_000_000));
    }
    assertThat(UserShare.of(100, crowd)).isEqualTo(1);
    assertThat(UserShare.of(0, List.of(demand(1), demand(1)))).isEqualTo(1);
  }

  @Test
  void theShareFillsThePlacesAndIsTheSmallestThatDoes() {
    Random random = new Random(7);
    for (int round = 0; round < 2_000; round++) {
      List<Demand> users = new ArrayList<>();
      for (int i = random.nextInt(9) + 1; i > 0; i--) {
        users.add(new Demand(random.nextInt(20), random.nextInt(40)));
      }
      long live = users.stream().mapToLong(Demand::live).sum();
      long places = Math.max(live, random.nextInt(200));
      long share = UserShare.of(places, users);
      long wanted = users.stream().mapToLong(user -> user.live() + user.unmet()).sum();
      if (wanted <= places) {
        assertThat(share).isEqualTo(Settings.UNLIMITED);
      } else {
        assertThat(within(share, users)).isGreaterThanOrEqualTo(places);
        assertThat(share == 1 || within(share - 1, users) < places).isTrue();
      }
    }
  }

  private static long within(long share, List<Demand> users) {
    return users.stream().mapToLong(user -> Math.min(share, user.live() + user.unmet())).sum();
  }

  private static Demand demand(long unmet) {
    return new Demand(0, unmet);
  }
}
