/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerInfos;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FirstBestEffortTest {
  private static final ContainerInfo ONE = ContainerInfos.bestEffort("container_1", 1);
  private static final ContainerInfo TWO = ContainerInfos.bestEffort("container_2", 1);

  private final AtomicBoolean limited = new AtomicBoolean(true);
  private final List<CompletableFuture<Void>> looks = new CopyOnWriteArrayList<>();
  private final FirstBestEffort first =
      new FirstBestEffort(
          limited::get,
          () -> {
            looks.add(new CompletableFuture<>());
            return looks.get(looks.size() - 1);
          });

  @Test
  @Timeout(20)
  void aContainerThatStartsBesideTheFirstWaitsForTheSameSample() throws Exception {
    CompletableFuture<Void> one = CompletableFuture.runAsync(() -> first.starting(ONE, true));
    CompletableFuture<Void> two = CompletableFuture.runAsync(() -> first.starting(TWO, true));
    while (looks.isEmpty()) {
      Thread.sleep(5);
    }
    Thread.sleep(100);
    assertThat(looks).hasSize(1);
    assertThat(one).isNotDone();
    assertThat(two).isNotDone();
    looks.get(0).complete(null);
    one.get(20, TimeUnit.SECONDS);
    two.get(20, TimeUnit.SECONDS);
  }

  @Test
  void aNodeThatCannotBeSampledDelaysContainersOnlyBriefly() {
    first.starting(ONE, true);
    assertThat(looks).hasSize(1);
    assertThat(looks.get(0)).isNotDone();
  }

  @Test
  void afterTheLastHasEndedTheNextIsTheFirstAgain() {
    CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    List<String> asked = new ArrayList<>();
    FirstBestEffort again =
        new FirstBestEffort(
            limited::get,
            () -> {
              asked.add("look");
              return done;
            });
    again.starting(ONE, true);
    again.starting(TWO, true);
    again.ended(ONE.containerId());
    again.starting(ONE, true);
    assertThat(asked).hasSize(1);
    again.stopped(ONE.containerId(), true);
    again.ended(TWO.containerId());
    again.starting(TWO, true);
    assertThat(asked).hasSize(2);
    again.changed(ContainerInfos.production(TWO.containerId(), 1), true);
    again.starting(ONE, true);
    assertThat(asked).as("who was promoted is limited no more").hasSize(3);
  }

  @Test
  void containersThatCharonDoesNotPlaceAreNotDelayed() {
    first.starting(ONE, false);
    first.starting(ContainerInfos.production("container_3", 1), true);
    limited.set(false);
    first.starting(ONE, true);
    assertThat(looks).isEmpty();
  }
}
