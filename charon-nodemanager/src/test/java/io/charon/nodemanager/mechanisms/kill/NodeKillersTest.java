/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.charon.killer.client.KernelTier;
import io.charon.nodemanager.config.CharonSettings;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerInfos;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;

/** Tests which killer is active in which mode, with killers that only record their calls. */
@Tag("hadoop")
class NodeKillersTest {
  private static final Set<Long> LEFT = Set.of(7L);
  private static final ContainerInfo RUNNING = ContainerInfos.bestEffort("c1", 100);

  private final KernelKillerAdapter kernel = mock(KernelKillerAdapter.class);
  private final UserSpaceKiller userSpace = mock(UserSpaceKiller.class);
  private Optional<String> late = Optional.empty();
  private long nanos;

  @BeforeEach
  void kernelIsInCharge() {
    when(kernel.state())
        .thenReturn(
            new KernelKillerAdapter.State(
                true, Optional.of(KernelTier.KERNEL_KILL), "it runs", Optional.of("/charon"), 0));
    when(kernel.withdraw(any())).thenReturn(true);
  }

  private NodeKillers killers(String mode) {
    return new NodeKillers(
        settings(mode),
        settings -> Optional.of(kernel),
        settings -> settings.mode().acts() ? Optional.of(userSpace) : Optional.empty(),
        () -> late,
        LEFT,
        () -> nanos);
  }

  private static CharonSettings settings(String mode) {
    return TestSettings.of("mode", mode);
  }

  @Test
  @Tag("must-never")
  void outsideEnforceTheKernelKillsNothingAndEarlierRegistrationsAreRemoved() {
    NodeKillers observing = killers("observe");
    observing.start(settings("observe"));
    observing.tick();

    assertThat(observing.kernelState()).isEmpty();
    assertThat(observing.userSpaceKills()).isFalse();
    verify(kernel).withdraw(LEFT);
    verify(kernel, never()).tick();
    verify(userSpace, never()).start();
  }

  @Test
  @Tag("must-never")
  void earlierRegistrationsAreRemovedWhereverTheKernelKillerIsNotUsed() {
    killers("threshold").start(settings("threshold"));
    verify(kernel).withdraw(LEFT);

    CharonSettings placing =
        TestSettings.of("mode", "observe", "cgroup.every-mode.enabled", "true");
    killers("observe").start(placing);
    verify(kernel, times(2)).withdraw(LEFT);
  }

  @Test
  void inEnforceBothKillersWatchAndTheKernelsNeedsItsHelperToBeInCharge() {
    NodeKillers enforcing = killers("enforce");
    enforcing.start(settings("enforce"));
    enforcing.tick();
    verify(kernel).tick();
    verify(userSpace).start();
    verify(kernel, never()).withdraw(any());
    assertThat(enforcing.kernelInCharge()).isTrue();

    late = Optional.of("the tick hangs");

    assertThat(enforcing.kernelInCharge()).isFalse();
    assertThat(enforcing.kernelState().orElseThrow().reason()).isEqualTo("the tick hangs");
  }

  @Test
  void theUserSpaceKillerIsWokenByTheTickThatFindsTheKernelKillerNotInCharge() {
    NodeKillers killers = killers("enforce");
    killers.start(settings("enforce"));
    killers.tick();
    verify(userSpace, never()).takeOver();

    KernelKillerAdapter.State lost =
        killers.kernelState().orElseThrow().notInCharge("its helper does not answer");
    when(kernel.state()).thenReturn(lost);
    killers.tick();
    verify(userSpace).takeOver();
  }

  @Test
  void theUserSpaceKillerIsWokenWhenNoKernelKillerIsUsedAnyMore() {
    NodeKillers killers = killers("enforce");
    killers.start(settings("enforce"));
    killers.tick();

    killers.changeMode(settings("threshold"), List::of);

    verify(userSpace).takeOver();
  }

  /** A node that the kernel killer protects may be full. */
  @Test
  @Tag("must-never")
  void untilTheKernelKillerHasBeenCheckedTheUserSpaceKillerKillsNothingButNotForLong() {
    NodeKillers killers = killers("enforce");
    KernelKillerAdapter.State unchecked =
        killers.kernelState().orElseThrow().notInCharge("not checked yet");
    when(kernel.state()).thenReturn(unchecked);
    killers.start(settings("enforce"));
    assertThat(killers.userSpaceStandsBy()).isTrue();
    assertThat(killers.kernelInCharge()).isFalse();

    nanos += Duration.ofSeconds(3).toNanos();
    assertThat(killers.userSpaceStandsBy()).as("no tick checks it").isFalse();

    killers.changeMode(settings("enforce"), List::of);
    assertThat(killers.userSpaceStandsBy()).as("another kernel killer").isTrue();
    killers.tick();
    assertThat(killers.userSpaceStandsBy()).isFalse();
    verify(userSpace).takeOver();
  }

  @Test
  void withoutAKernelKillerTheUserSpaceKillerWaitsForNothing() {
    NodeKillers killers = killers("threshold");
    killers.start(settings("threshold"));

    assertThat(killers.userSpaceStandsBy()).isFalse();
  }

  /**
   * A container that starts meanwhile is reported to the new killer, or is among the running ones.
   */
  @Test
  void runningContainersAreReadOnceTheNewKillerReceivesStarts() {
    NodeKillers killers = killers("observe");
    killers.start(settings("observe"));

    killers.changeMode(
        settings("enforce"),
        () -> {
          assertThat(killers.kernel()).contains(kernel);
          return List.of(RUNNING);
        });

    verify(kernel).reacquired(RUNNING);
    verify(userSpace).start();
  }

  @Test
  @Tag("must-never")
  void backInObserveNoContainerIsKilled() {
    NodeKillers killers = killers("enforce");
    killers.start(settings("enforce"));

    killers.changeMode(settings("observe"), List::of);

    InOrder order = inOrder(userSpace, kernel);
    order.verify(userSpace).close();
    order.verify(kernel).withdraw(LEFT);
    assertThat(killers.kernel()).isEmpty();
  }

  /** The kernel killer kills without its helper, by what is registered. */
  @Test
  @Tag("must-never")
  void registrationsThatCannotBeRemovedAtOnceAreRemovedLater() {
    NodeKillers killers = killers("enforce");
    killers.start(settings("enforce"));
    when(kernel.withdraw(any())).thenReturn(false, false, true);

    killers.changeMode(settings("observe"), List::of);
    killers.tick();
    killers.tick();
    killers.tick();

    verify(kernel, times(3)).withdraw(LEFT);
  }

  @Test
  void backInEnforceNothingIsRemovedAnyMore() {
    NodeKillers killers = killers("enforce");
    killers.start(settings("enforce"));
    when(kernel.withdraw(any())).thenReturn(false);
    killers.changeMode(settings("observe"), List::of);
    killers.changeMode(settings("enforce"), List::of);
    killers.tick();

    verify(kernel, times(2)).withdraw(LEFT);
  }

  @Test
  void onlyTheBaselineMakesRoomForProductionBeforeItNeedsIt() {
    NodeKillers enforcing = killers("enforce");
    enforcing.start(settings("enforce"));
    enforcing.productionStarts(5);
    verify(userSpace, never()).productionStarts(anyLong());

    enforcing.changeMode(settings("threshold"), List::of);
    enforcing.productionStarts(5);
    verify(userSpace).productionStarts(5);
  }
}
