/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.mechanism.WorkingSet;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.sensor.ContainerMemorySensor.ContainerMemory;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.SimpleLayout;
import org.apache.log4j.WriterAppender;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with 250 containers, of which 100 may be read per tick. */
class ContainerMemoryTurnsTest {
  private static final int CONTAINERS = 250;

  @TempDir private Path root;
  private FakeMachine machine;
  private CgroupLayout layout;
  private ContainerMemorySensor sensor;
  private final List<String> readings = new ArrayList<>();
  private long value;

  @BeforeEach
  void manyContainers() throws IOException {
    machine = FakeMachine.v2(root);
    layout = machine.detect("/charon");
    for (int i = 0; i < CONTAINERS; i++) {
      Files.createDirectories(cgroup(i));
    }
    sensor =
        new ContainerMemorySensor(
            layout,
            cgroup ->
                () -> {
                  readings.add(cgroup.getFileName().toString());
                  if (!Files.exists(cgroup)) {
                    throw new IOException("gone");
                  }
                  return WorkingSet.of(value);
                });
  }

  private Path cgroup(int number) {
    String side = number % 2 == 0 ? "production" : "best-effort";
    return machine.path("cgroup/charon/" + side + "/c_" + number);
  }

  private Map<String, ContainerMemory> tick() throws IOException {
    readings.clear();
    return sensor.read();
  }

  @Test
  void aTickReadsAHundredAndAllAreFreshWithinThree() throws IOException {
    Set<String> everRead = new TreeSet<>();
    for (int known : new int[] {100, 200, 250}) {
      assertThat(tick()).hasSize(known);
      assertThat(readings).hasSize(100).doesNotHaveDuplicates();
      everRead.addAll(readings);
      assertThat(everRead).as("new ones come first").hasSize(known);
    }
    for (int round = 0; round < 5; round++) {
      value++;
      for (int tick = 0; tick < 3; tick++) {
        tick();
        assertThat(readings).hasSize(100);
      }
      assertThat(sensor.read().values())
          .hasSize(CONTAINERS)
          .allMatch(memory -> memory.workingSet().bytes() == value);
    }
    assertThat(sensor.read())
        .containsEntry(
            "c_0", new ContainerMemory("c_0", ContainerClass.PRODUCTION, WorkingSet.of(value)))
        .containsEntry(
            "c_1", new ContainerMemory("c_1", ContainerClass.BEST_EFFORT, WorkingSet.of(value)));
  }

  @Test
  void whatVanishedIsGoneAtOnceAndWhatIsNewIsReadAtOnce() throws IOException {
    for (int tick = 0; tick < 3; tick++) {
      tick();
    }
    for (int i = 0; i < 40; i++) {
      Files.delete(cgroup(i));
    }
    Files.createDirectories(cgroup(1000));
    Map<String, ContainerMemory> containers = tick();
    assertThat(containers).hasSize(CONTAINERS - 40 + 1).containsKey("c_1000");
    assertThat(containers).doesNotContainKeys("c_0", "c_39");
    assertThat(readings).hasSize(100).contains("c_1000");

    Files.createDirectories(cgroup(7)); // a new cgroup of the same name, without any reading
    value = 7;
    assertThat(tick().get("c_7").workingSet().bytes()).isEqualTo(7);
  }

  @Test
  void upToAHundredAreAllReadAtEachTick() throws IOException {
    for (int i = 100; i < CONTAINERS; i++) {
      Files.delete(cgroup(i));
    }
    for (int tick = 0; tick < 3; tick++) {
      value++;
      assertThat(tick().values()).allMatch(memory -> memory.workingSet().bytes() == value);
      assertThat(new HashSet<>(readings)).hasSize(100);
      assertThat(readings).hasSize(100);
    }
  }

  @Test
  void oneThatVanishesWhileItIsReadIsAbsent() throws IOException {
    ContainerMemorySensor vanishing =
        new ContainerMemorySensor(
            layout,
            cgroup ->
                () -> {
                  if (cgroup.endsWith("c_3")) {
                    Files.delete(cgroup);
                    throw new IOException("gone");
                  }
                  return WorkingSet.of(value);
                });
    for (int tick = 0; tick < 3; tick++) {
      vanishing.read();
    }
    assertThat(vanishing.read()).hasSize(CONTAINERS - 1).doesNotContainKey("c_3");
  }

  @Test
  void containersThatCannotBeReadAreAbsentAndTheOthersKeepTheirTurns() throws IOException {
    Set<String> broken = new TreeSet<>();
    for (int i = 0; i < 150; i++) {
      broken.add("c_" + i);
    }
    ContainerMemorySensor sensor =
        new ContainerMemorySensor(
            layout,
            cgroup ->
                () -> {
                  if (broken.contains(cgroup.getFileName().toString())) {
                    throw new IOException("cannot read " + cgroup);
                  }
                  return WorkingSet.of(value);
                });
    for (int round = 0; round < 3; round++) {
      value++;
      for (int tick = 0; tick < 3; tick++) {
        sensor.read();
      }
      assertThat(sensor.read().values())
          .hasSize(CONTAINERS - 150)
          .allMatch(memory -> memory.workingSet().bytes() == value);
    }
    broken.clear();
    for (int tick = 0; tick < 3; tick++) {
      sensor.read();
    }
    assertThat(sensor.read()).hasSize(CONTAINERS);
  }

  @Test
  void aContainerThatCannotBeReadIsLoggedOnceUntilItCouldBeRead() throws IOException {
    Set<String> broken = new TreeSet<>(Set.of("c_3"));
    RoundRobinReader<Long> reader =
        new RoundRobinReader<>(
            cgroup ->
                () -> {
                  if (broken.contains(cgroup.getFileName().toString())) {
                    throw new IOException("cannot read " + cgroup);
                  }
                  return value;
                },
            "the effect");
    List<Path> cgroups = List.of(cgroup(3), cgroup(4));
    StringWriter log = new StringWriter();
    WriterAppender appender = new WriterAppender(new SimpleLayout(), log);
    Logger logger = Logger.getLogger(RoundRobinReader.class);
    logger.addAppender(appender);
    logger.setAdditivity(false);
    logger.setLevel(Level.WARN);
    try {
      reader.next(cgroups);
      assertThat(reader.next(cgroups)).containsOnlyKeys(cgroup(4));
      assertThat(reader.unreadable()).containsOnlyKeys(cgroup(3));
      assertThat(log.toString()).containsOnlyOnce("c_3").contains("the effect");
      broken.clear();
      assertThat(reader.next(cgroups)).containsOnlyKeys(cgroup(3), cgroup(4));
      assertThat(reader.unreadable()).isEmpty();
      log.getBuffer().setLength(0);
      broken.add("c_3");
      reader.next(cgroups);
      assertThat(log.toString()).contains("c_3");
    } finally {
      logger.removeAppender(appender);
      logger.setAdditivity(true);
      logger.setLevel(null);
    }
  }
}
