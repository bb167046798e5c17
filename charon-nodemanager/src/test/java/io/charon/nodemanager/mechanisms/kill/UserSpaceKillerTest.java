/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.Counter;
import io.charon.core.kill.LowMemoryRule;
import io.charon.core.scheduler.ContainerEnd;
import io.charon.core.scheduler.LaunchQueue;
import io.charon.core.scheduler.LocalScheduler;
import io.charon.core.scheduler.NodeMemory;
import io.charon.core.scheduler.PeakProfile;
import io.charon.core.scheduler.ThresholdLaunchPolicy;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.execution.ActionExecutor;
import io.charon.nodemanager.execution.ContainerControl;
import io.charon.nodemanager.execution.DyingContainers;
import io.charon.nodemanager.mechanisms.launch.LaunchGate;
import io.charon.nodemanager.report.audit.Audit;
import io.charon.nodemanager.sensor.NodeMemorySensor;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class UserSpaceKillerTest {
  private static final long CAPACITY = 1000L << 20;
  private static final long THRESHOLD = 100L << 20;

  private final FakeMemory memory = new FakeMemory();
  private final List<String> kills = new ArrayList<>();
  private final List<String> reasons = new ArrayList<>();
  private final Set<String> recovering = new HashSet<>();
  private boolean killFails;
  private boolean standsBy;
  private long nanos;
  private int launchable;
  private Runnable news = () -> {};
  private final DyingContainers dying = new DyingContainers(() -> nanos, () -> news.run());
  private final LaunchGate gate =
      new LaunchGate(
          new LocalScheduler(
              new LaunchQueue(5), new PeakProfile(20, 95), new ThresholdLaunchPolicy(10)),
          Duration.ofDays(1),
          () -> nanos,
          Clock.systemUTC(),
          nanos -> {},
          "");

  private static final class FakeMemory implements NodeMemorySensor {
    long available = CAPACITY;
    boolean unreadable;
    int reads;
    int cheapReads;

    @Override
    public NodeMemory read() throws IOException {
      reads++;
      if (unreadable) {
        throw new IOException("gone");
      }
      return new NodeMemory(CAPACITY, available);
    }

    @Override
    public boolean availableAtLeast(long bytes) throws IOException {
      cheapReads++;
      if (unreadable) {
        throw new IOException("gone");
      }
      return available >= bytes;
    }
  }

  @Test
  void withoutContainersNothingIsRead() throws IOException {
    memory.available = 0;
    UserSpaceKiller killer = killer(10, false);

    killer.sample();

    assertThat(memory.reads + memory.cheapReads).isZero();
    assertThat(kills).isEmpty();
  }

  @Test
  void whileEnoughIsLeftOnlyTheCheapReadingIsTaken() throws IOException {
    running("c1");
    UserSpaceKiller killer = killer(10, false);

    killer.sample(); // learns the node's size
    killer.sample();
    killer.sample();

    assertThat(memory.reads).isEqualTo(1);
    assertThat(memory.cheapReads).isEqualTo(2);
  }

  @Test
  void theNewestDiesBelowTheThresholdAndNotAtIt() throws IOException {
    running("c1", "c2");
    UserSpaceKiller killer = killer(10, false);

    memory.available = THRESHOLD;
    killer.sample();
    assertThat(kills).isEmpty();

    memory.available = THRESHOLD - 1;
    killer.sample();
    assertThat(kills).containsExactly("c2");
    assertThat(reasons)
        .containsExactly("c2: user-space killer: 99 MiB of 1000 MiB left, threshold 100 MiB");
  }

  @Test
  void oneVictimAtATime() throws IOException {
    running("c1", "c2", "c3");
    memory.available = 0;
    UserSpaceKiller killer = killer(10, false);

    killer.sample();
    killer.sample();
    assertThat(kills).containsExactly("c3");

    gate.ended("c3", 0, ContainerEnd.COMPLETED);
    killer.sample();
    assertThat(kills).containsExactly("c3", "c2");
  }

  /** YARN would report its end, and its processes would live on. */
  @Test
  @Tag("must-never")
  void oneThatIsStillBeingRecoveredIsNotKilled() throws IOException {
    running("c1", "c2");
    recovering.addAll(List.of("c1", "c2"));
    memory.available = 0;
    UserSpaceKiller killer = killer(10, false);

    killer.sample();
    assertThat(kills).isEmpty();

    recovering.remove("c1");
    killer.sample();
    assertThat(kills).as("the newest of those that were found again").containsExactly("c1");
  }

  @Test
  void theRequestOfProductionIsKeptUntilAContainerCanBeKilledForIt() throws IOException {
    running("c1");
    recovering.add("c1");
    UserSpaceKiller killer = killer(10, false);
    killer.sample();
    killer.productionStarts(CAPACITY - THRESHOLD + 1);
    killer.sample();

    recovering.clear();
    killer.sample();

    assertThat(kills).containsExactly("c1");
  }

  @Test
  void aVictimThatDoesNotGoIsKilledAgainAfterItsGrace() throws IOException {
    running("c1", "c2");
    memory.available = 0;
    UserSpaceKiller killer = killer(10, false);

    killer.sample();
    nanos += Duration.ofSeconds(3).toNanos() - 1;
    killer.sample();
    assertThat(kills).hasSize(1);

    nanos += 1;
    killer.sample();
    assertThat(kills).containsExactly("c2", "c2");
  }

  @Test
  void aKillThatFailsIsTriedAgainAfterTheGrace() throws IOException {
    running("c1");
    memory.available = 0;
    killFails = true;
    UserSpaceKiller killer = killer(10, false);

    killer.sample();
    killFails = false;
    nanos += Duration.ofSeconds(3).toNanos();
    killer.sample();

    assertThat(kills).containsExactly("c1");
  }

  @Test
  @Tag("must-never")
  void oneShortageKillsNoSecondContainerWhicheverKillerActed() throws IOException {
    running("c1", "c2");
    memory.available = 0;
    UserSpaceKiller killer = killer(10, false);
    dying.add("c1"); // by the regulator, the pause or YARN

    killer.sample();
    assertThat(kills).isEmpty();

    gate.ended("c1", 0, ContainerEnd.COMPLETED);
    killer.sample();
    assertThat(kills).containsExactly("c2");
  }

  @Test
  void aKernelKillThatHasNotBeenReadYetCountsToo() throws IOException {
    running("c1", "c2");
    memory.available = 0;
    news = () -> dying.add("c1"); // read just before the kill
    UserSpaceKiller killer = killer(10, false);

    killer.sample();
    assertThat(kills).isEmpty();
    assertThat(reasons).as("nothing is attributed to a container that lives on").isEmpty();
  }

  @Test
  void containersThatYarnEndsOneAfterAnotherDoNotHoldAKillBackForEver() throws IOException {
    running("c1", "c2", "c3", "c4", "c5");
    memory.available = 0;
    UserSpaceKiller killer = killer(10, false);
    for (String ended : List.of("c1", "c2", "c3")) {
      dying.add(ended);
      killer.sample();
      nanos += Duration.ofSeconds(1).toNanos();
    }
    assertThat(kills).isEmpty();

    dying.add("c4");
    killer.sample();
    assertThat(kills).containsExactly("c5");
  }

  @Test
  void aThresholdOfZeroIsNoKiller() throws IOException {
    running("c1");
    memory.available = 0;
    UserSpaceKiller killer = killer(0, false);

    killer.sample();

    assertThat(kills).isEmpty();
    assertThat(killer.canKill()).isFalse();
  }

  @Test
  void itSaysSoWhenItCouldNotKill() throws IOException {
    running("c1");
    UserSpaceKiller killer = killer(10, false);
    assertThat(killer.canKill()).isTrue();

    memory.unreadable = true;
    nanos += Duration.ofSeconds(5).toNanos() + 1;
    assertThatThrownBy(killer::sample).isInstanceOf(IOException.class);
    assertThat(killer.canKill()).isFalse();

    memory.unreadable = false;
    killer.sample();
    assertThat(killer.canKill()).isTrue();
  }

  @Test
  @Tag("must-never")
  void aThresholdOfZeroCausesNoKill() throws IOException {
    running("c1");
    memory.available = 0;
    UserSpaceKiller killer = killer(0, true);
    killer.productionStarts(THRESHOLD);

    killer.sample();
    killer.sample();

    assertThat(kills).isEmpty();
  }

  @Test
  void productionThatStartsGetsRoomForItsRequestFirst() throws IOException {
    running("c1", "c2");
    memory.available = 3 * THRESHOLD;
    UserSpaceKiller killer = killer(10, true);
    killer.sample();

    killer.productionStarts(2 * THRESHOLD);
    killer.sample();
    assertThat(kills).isEmpty();

    killer.productionStarts(2 * THRESHOLD + 1);
    killer.sample();
    killer.sample();
    assertThat(kills).containsExactly("c2");

    gate.ended("c2", 0, ContainerEnd.COMPLETED);
    memory.available = 3 * THRESHOLD + 1;
    killer.sample();
    memory.available = THRESHOLD;
    killer.sample(); // the request was met and its memory may be used now
    assertThat(kills).containsExactly("c2");
  }

  @Test
  void severalThatStartAtOnceGetRoomTogether() throws IOException {
    running("c1");
    memory.available = 3 * THRESHOLD;
    UserSpaceKiller killer = killer(10, true);
    killer.sample();

    killer.productionStarts(3 * THRESHOLD / 2);
    killer.productionStarts(THRESHOLD);
    killer.sample();

    assertThat(kills).containsExactly("c1");
  }

  @Test
  void aRequestForRoomIsDroppedIfNoContainerCanBeKilled() throws IOException {
    memory.available = THRESHOLD;
    UserSpaceKiller killer = killer(10, true);
    killer.productionStarts(THRESHOLD);
    killer.sample();

    gate.adopt(ContainerInfos.bestEffort("later", THRESHOLD).launchRequest());
    killer.sample();

    assertThat(kills).isEmpty();
  }

  @Test
  void eachReadingDecidesALaunchOnlyInThresholdMode() throws IOException {
    gate.request(ContainerInfos.bestEffort("c1", THRESHOLD).launchRequest());

    killer(10, false).sample();
    assertThat(launchable).isZero();
    assertThat(memory.reads).isZero();

    killer(10, true).sample();
    assertThat(launchable).isEqualTo(1);
  }

  @Test
  @Tag("must-never")
  void withoutAReadingNoContainerIsKilled() throws IOException {
    running("c1");
    memory.unreadable = true;
    UserSpaceKiller killer = killer(10, false);

    assertThatThrownBy(killer::sample).isInstanceOf(IOException.class);
    assertThat(kills).isEmpty();

    memory.unreadable = false;
    memory.available = 0;
    killer.sample();
    assertThat(kills).containsExactly("c1");
  }

  @Test
  void whileABetterKillerProtectsTheNodeItTakesNoSample() throws IOException {
    running("c1");
    memory.available = 0;
    standsBy = true;
    UserSpaceKiller killer = killer(10, false);

    killer.sample();
    assertThat(kills).isEmpty();
    assertThat(memory.reads + memory.cheapReads).isZero();

    standsBy = false;
    killer.sample();
    assertThat(kills).containsExactly("c1");
  }

  @Test
  void aTakeOverEndsTheStandbyAtOnce() throws Exception {
    CountDownLatch stands = new CountDownLatch(1);
    CountDownLatch looks = new CountDownLatch(1);
    AtomicBoolean standby = new AtomicBoolean(true);
    running("c1");
    UserSpaceKiller killer =
        new UserSpaceKiller(
            () -> {
              looks.countDown();
              return new NodeMemory(CAPACITY, CAPACITY);
            },
            gate,
            id -> true,
            new LowMemoryRule(10),
            executor(),
            dying,
            System::nanoTime,
            Duration.ofMillis(1),
            standby::get,
            () -> {
              stands.countDown();
              return Duration.ofMillis(900);
            },
            () -> false,
            () -> {});
    killer.start();
    assertThat(stands.await(20, TimeUnit.SECONDS)).isTrue();

    long before = System.nanoTime();
    standby.set(false);
    killer.takeOver();
    assertThat(looks.await(20, TimeUnit.SECONDS)).isTrue();

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMillis(800));
    killer.close();
  }

  @Test
  void theThreadGoesOnAfterFailuresAndEndsWhenClosed() throws Exception {
    running("c1");
    memory.unreadable = true;
    CountDownLatch looks = new CountDownLatch(3);
    Thread[] watcher = new Thread[1];
    UserSpaceKiller killer =
        new UserSpaceKiller(
            new NodeMemorySensor() {
              @Override
              public NodeMemory read() throws IOException {
                watcher[0] = Thread.currentThread();
                looks.countDown();
                if (looks.getCount() == 1) {
                  throw new IllegalStateException("worse");
                }
                return memory.read();
              }

              @Override
              public boolean availableAtLeast(long bytes) throws IOException {
                return read().availableBytes() >= bytes;
              }
            },
            gate,
            id -> true,
            new LowMemoryRule(10),
            executor(),
            dying,
            System::nanoTime,
            Duration.ofMillis(1),
            () -> false,
            () -> Duration.ZERO,
            () -> false,
            () -> {});

    killer.start();
    assertThat(looks.await(20, TimeUnit.SECONDS)).isTrue();
    killer.close();
    watcher[0].join(20_000);

    assertThat(watcher[0].isAlive()).isFalse();
  }

  private void running(String... ids) {
    for (String id : ids) {
      gate.adopt(ContainerInfos.bestEffort(id, THRESHOLD).launchRequest());
    }
    gate.observed(new NodeMemory(CAPACITY, CAPACITY), Map.of());
  }

  private UserSpaceKiller killer(int thresholdPercent, boolean readsForLaunches) {
    return new UserSpaceKiller(
        memory,
        gate,
        id -> !recovering.contains(id),
        new LowMemoryRule(thresholdPercent),
        executor(),
        dying,
        () -> nanos,
        Duration.ofMillis(1),
        () -> standsBy,
        () -> Duration.ofMinutes(1),
        () -> readsForLaunches,
        () -> launchable++);
  }

  private ActionExecutor executor() {
    Counter failures = new Counter();
    return new ActionExecutor(
        dying,
        (mechanism, id, reason) -> reasons.add(id + ": " + reason),
        ContainerControl.of(Optional.empty(), this::kill),
        Audit.direct(Optional.empty(), Clock.systemUTC(), failures),
        failures,
        () -> nanos);
  }

  private void kill(String id) throws IOException {
    if (killFails) {
      throw new IOException("no such process");
    }
    kills.add(id);
  }
}
