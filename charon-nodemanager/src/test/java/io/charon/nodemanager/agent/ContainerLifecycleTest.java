/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.mechanism.WorkingSet;
import io.charon.core.scheduler.ContainerEnd;
import io.charon.nodemanager.config.TestSettings;
import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerInfos;
import io.charon.nodemanager.container.ContainerLedger;
import io.charon.nodemanager.container.ContainerListener;
import io.charon.nodemanager.container.LaunchPrefix;
import io.charon.nodemanager.container.PlacedContainers;
import io.charon.nodemanager.mechanisms.freeze.NodeFreeze;
import io.charon.nodemanager.mechanisms.kill.KillBookkeeper;
import io.charon.nodemanager.mechanisms.launch.NodeLaunches;
import io.charon.nodemanager.mechanisms.stop.NodeStop;
import io.charon.nodemanager.report.metrics.NodeMetrics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests with two listeners that record their notifications together with the ledger's state at that
 * moment.
 */
class ContainerLifecycleTest {
  private static final ContainerInfo TASK = ContainerInfos.bestEffort("c1", 100);
  private static final ContainerInfo PROMOTED = ContainerInfos.production("c1", 100);

  private final List<String> heard = new ArrayList<>();
  private final ContainerLedger ledger = new ContainerLedger();
  private final PlacedContainers placed = new PlacedContainers();
  private final NodeMetrics metrics = new NodeMetrics();
  private final Set<String> found = new HashSet<>();
  private boolean places = true;
  private boolean fails;
  private Runnable meanwhile = () -> {};
  private final ContainerLifecycle lifecycle =
      new ContainerLifecycle(
          ledger,
          placed,
          new ContainerLifecycle.Places() {
            @Override
            public boolean placesNow() {
              return places;
            }

            @Override
            public boolean wasPlaced(String containerId) {
              return found.contains(containerId);
            }
          },
          () -> heard.add("kills are read"),
          metrics,
          List.of(new Listener("first"), new Listener("second")));

  private final class Listener implements ContainerListener {
    private final String name;

    Listener(String name) {
      this.name = name;
    }

    private void hear(String event) {
      heard.add(name + " " + event + (ledger.find("c1").isPresent() ? ", known" : ", unknown"));
      if (fails) {
        throw new IllegalStateException(name);
      }
    }

    private String place(boolean isPlaced) {
      return isPlaced ? " placed" : " untouched";
    }

    @Override
    public Optional<LaunchPrefix> starting(ContainerInfo container, boolean isPlaced) {
      hear("starting" + place(isPlaced));
      return name.equals("first") && isPlaced
          ? Optional.of(new LaunchPrefix(7, List.of(), List.of()))
          : Optional.empty();
    }

    @Override
    public void reacquired(ContainerInfo container, boolean isPlaced) {
      hear("reacquired" + place(isPlaced));
    }

    @Override
    public void changed(ContainerInfo container, boolean isPlaced) {
      meanwhile.run();
      ContainerInfo known = ledger.find("c1").map(ContainerLedger.Entry::info).orElse(container);
      hear("changed to " + known.executionType() + place(isPlaced));
    }

    @Override
    public void resized(ContainerInfo container) {
      hear("resized to " + ledger.find("c1").orElseThrow().info().requestedBytes());
    }

    @Override
    public void signalled(String containerId, boolean isPlaced) {
      hear("signalled" + place(isPlaced));
    }

    @Override
    public void stopped(String containerId, boolean isPlaced) {
      hear("stopped" + place(isPlaced));
    }

    @Override
    public void released(String containerId, long peakBytes, ContainerEnd end) {
      hear("released " + peakBytes + (end == ContainerEnd.KILLED_FOR_MEMORY ? " killed" : ""));
    }

    @Override
    public void ended(String containerId) {
      hear("ended");
    }
  }

  @Test
  void aChangeThatIsNoticedAfterTheEndIsNotTold() {
    lifecycle.starting(TASK);
    lifecycle.ended("c1", ContainerEnd.COMPLETED);
    heard.clear();

    lifecycle.changed(PROMOTED);

    assertThat(heard).isEmpty();
  }

  @Test
  void aChangeThatIsNoticedAfterItsProcessesEndedIsNotTold() {
    lifecycle.starting(TASK);
    lifecycle.stopped("c1");
    heard.clear();

    lifecycle.changed(PROMOTED);

    assertThat(heard).isEmpty();
  }

  @Test
  void aNewSizeIsKnownBeforeItIsToldAndIgnoredAfterTheEnd() {
    lifecycle.starting(TASK);
    heard.clear();

    lifecycle.resized(ContainerInfos.bestEffort("c1", 300));
    assertThat(heard)
        .containsExactly("first resized to 300, known", "second resized to 300, known");

    lifecycle.ended("c1", ContainerEnd.COMPLETED);
    heard.clear();
    lifecycle.resized(TASK);
    assertThat(heard).isEmpty();
    assertThat(ledger.entries()).isEmpty();
  }

  /** Otherwise its charge or its cgroups would stay for ever. */
  @Test
  void whatAContainerThatEndsWhileItsChangeIsToldTakesUpAgainIsReleased() {
    lifecycle.starting(TASK);
    meanwhile =
        () -> {
          meanwhile = () -> {};
          lifecycle.stopped("c1");
          lifecycle.ended("c1", ContainerEnd.COMPLETED);
          heard.clear();
        };

    lifecycle.changed(PROMOTED);

    assertThat(heard)
        .containsExactly(
            "first changed to GUARANTEED placed, unknown",
            "second changed to GUARANTEED placed, unknown",
            "first stopped placed, unknown",
            "second stopped placed, unknown",
            "first released 0, unknown",
            "second released 0, unknown");
  }

  @Test
  void everythingThatHappensToAContainerIsToldInOneOrder() {
    assertThat(lifecycle.starting(TASK)).contains(new LaunchPrefix(7, List.of(), List.of()));
    lifecycle.changed(PROMOTED);
    ledger.measured(Map.of("c1", WorkingSet.of(70)));
    ledger.killedForMemory("c1", "too much");
    lifecycle.signalled("c1");
    lifecycle.stopped("c1");
    lifecycle.ended("c1", ContainerEnd.KILLED_FOR_MEMORY);

    assertThat(heard)
        .containsExactly(
            "first starting placed, known",
            "second starting placed, known",
            "first changed to GUARANTEED placed, known",
            "second changed to GUARANTEED placed, known",
            "first signalled placed, known",
            "second signalled placed, known",
            "kills are read",
            "first stopped placed, known",
            "second stopped placed, known",
            "first released 70 killed, known",
            "second released 70 killed, known",
            "first ended, known",
            "second ended, known");
    assertThat(ledger.entries()).isEmpty();
    assertThat(placed.placed()).isZero();
    assertThat(metrics.launched().getCount()).isEqualTo(1);
    assertThat(metrics.killedForMemory().getCount()).isEqualTo(1);
  }

  @Test
  void oneThatAnOperatorsStopEndedWasNotKilledForMemory() {
    lifecycle.starting(TASK);
    ledger.killedOtherwise("c1", "an operator's stop: kill");

    assertThat(lifecycle.killReason("c1")).contains("an operator's stop: kill");
    assertThat(lifecycle.killedForMemory("c1")).isFalse();
    lifecycle.ended("c1", ContainerEnd.OTHER);

    assertThat(heard)
        .contains("first released 0, known")
        .noneMatch(line -> line.contains("killed"));
    assertThat(metrics.killedForMemory().getCount()).isZero();
  }

  @Test
  @Tag("must-never")
  void oneThatStartedUntouchedStaysSoThoughCharonPlacesOthersByNow() {
    places = false;
    assertThat(lifecycle.starting(TASK)).isEmpty();
    places = true;
    heard.clear();

    lifecycle.changed(PROMOTED);
    lifecycle.signalled("c1");
    lifecycle.stopped("c1");

    assertThat(heard).filteredOn(line -> line.contains("untouched")).hasSize(6);
    assertThat(heard).noneMatch(line -> line.contains("placed"));
    assertThat(placed.untouched()).isEmpty();
  }

  @Test
  void oneThatWasFoundRunningHasThePlaceThatItHad() {
    lifecycle.reacquired(TASK);
    found.add("c2");
    lifecycle.reacquired(ContainerInfos.bestEffort("c2", 100));

    assertThat(heard)
        .containsExactly(
            "first reacquired untouched, known",
            "second reacquired untouched, known",
            "first reacquired placed, known",
            "second reacquired placed, known");
    assertThat(placed.untouched()).containsExactly("c1");
    assertThat(metrics.launched().getCount()).as("started by an earlier life").isZero();
  }

  @Test
  void killsAreReadOnlyForAContainerThatMayBeKilled() {
    assertThat(lifecycle.killReason("c1")).isEmpty();
    assertThat(heard).as("it is not known").isEmpty();

    lifecycle.starting(TASK);
    heard.clear();
    assertThat(lifecycle.killReason("c1")).isEmpty();
    assertThat(heard).containsExactly("kills are read");

    lifecycle.stopped("c1");
    heard.clear();
    assertThat(lifecycle.killReason("c1")).isEmpty();
    assertThat(heard).as("its processes have ended").isEmpty();
  }

  @Test
  void failuresReachTheYarnSide() {
    fails = true;

    assertThatThrownBy(() -> lifecycle.starting(TASK)).hasMessage("first");

    assertThat(heard).containsExactly("first starting placed, known");
  }

  /** YARN tells of a promotion once. */
  @Test
  void aListenerThatFailsKeepsAChangeFromNoOther() {
    lifecycle.starting(TASK);
    heard.clear();
    fails = true;

    assertThatThrownBy(() -> lifecycle.changed(PROMOTED)).hasMessage("first");

    assertThat(heard)
        .containsExactly(
            "first changed to GUARANTEED placed, known",
            "second changed to GUARANTEED placed, known");
  }

  @Test
  void aListenerThatFailsKeepsNoOtherEventFromTheOthers() {
    lifecycle.starting(TASK);
    heard.clear();
    fails = true;

    assertThatThrownBy(() -> lifecycle.signalled("c1")).hasMessage("first");
    assertThatThrownBy(() -> lifecycle.stopped("c1")).hasMessage("first");
    assertThatThrownBy(() -> lifecycle.released("c1", true)).hasMessage("first");
    assertThatThrownBy(() -> lifecycle.ended("c1", ContainerEnd.REJECTED)).hasMessage("first");
    assertThatThrownBy(() -> lifecycle.reacquired(TASK)).hasMessage("first");

    assertThat(heard)
        .filteredOn(line -> line.startsWith("second"))
        .containsExactly(
            "second signalled placed, known",
            "second stopped placed, known",
            "second released 0, known",
            "second released 0, known",
            "second ended, known",
            "second reacquired untouched, known");
    assertThat(metrics.rejected().getCount()).isEqualTo(1);
    assertThat(placed.placed()).isZero();
  }

  /** A container that is killed or moved is thawed first; its cgroup is removed last. */
  @Test
  @Tag("hadoop")
  void aNodesPartsHearInThisOrder(@TempDir Path proc) {
    try (CharonNode node =
        new CharonNode(
            TestSettings.of("cgroup.enabled", "false"),
            Surroundings.ofThisMachine(proc),
            new FakeYarn())) {
      assertThat(node.lifecycle().listeners())
          .<Class<?>>extracting(Object::getClass)
          .containsExactly(
              NodeLaunches.class,
              FirstBestEffort.class,
              KillBookkeeper.class,
              NodeStop.class,
              NodeFreeze.class,
              ContainerPlacement.class,
              Applications.class);
    }
  }
}
