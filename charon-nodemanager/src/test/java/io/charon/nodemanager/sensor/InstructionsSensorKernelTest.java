/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.mechanism.Measurement;
import io.charon.nodemanager.Requirement;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.RealCgroups;
import io.charon.nodemanager.helper.Helper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests the sensor with the real helper and the real kernel. Uses software events (page faults per
 * nanosecond of CPU time), because most machines that run this test have no hardware counters.
 */
@ExtendWith(RealCgroups.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InstructionsSensorKernelTest {
  private static final Path KILLER =
      Path.of("../kernel-ua-killer/target/native/ua-killer").toAbsolutePath().normalize();
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private CgroupLayout layout;
  private CgroupWriter writer;
  private Process busy;
  private InstructionsSensor sensor;

  @BeforeEach
  void setUp() throws Exception {
    Requirement.require(
        InstructionsSensorKernelTest.class,
        "root".equals(System.getProperty("user.name")),
        "needs root");
    Requirement.require(
        InstructionsSensorKernelTest.class,
        Files.isExecutable(KILLER),
        "no " + KILLER + ": run make -C kernel-ua-killer/src/main/native");
    layout = RealCgroups.layout("counted");
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
    sensor = sensor();
    Optional<String> unavailable = sensor.unavailable();
    Requirement.require(
        InstructionsSensorKernelTest.class, unavailable.isEmpty(), unavailable.orElse(""));
    writer.createContainer("idle", ContainerClass.PRODUCTION, OptionalInt.empty());
    String enter =
        RealCgroups.entering(
            writer.createContainer("busy", ContainerClass.PRODUCTION, OptionalInt.empty()));
    busy = new ProcessBuilder("/bin/sh", "-c", enter + "while :; do /bin/true; done").start();
  }

  private InstructionsSensor sensor(String... foreground) {
    return new InstructionsSensor(
        NodeSides.of(layout, List.of(foreground)),
        new Helper(List.of(KILLER.toString(), "--events", "software"), TIMEOUT),
        System::nanoTime);
  }

  private String production(String container) {
    return layout.classPath(ContainerClass.PRODUCTION) + "/" + container;
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    if (sensor != null) {
      sensor.close();
    }
    if (busy != null) {
      busy.destroyForcibly().waitFor();
    }
    if (writer != null) {
      assertThat(writer.removeContainer("busy")).isTrue();
      assertThat(writer.removeContainer("idle")).isTrue();
      assertThat(writer.removeNode()).isTrue();
    }
  }

  /** Returns the second reading, which covers the time since the first. */
  private Measurement overASecond() throws InterruptedException {
    assertThat(sensor.read(System.nanoTime()).missing()).contains("a ratio needs two readings");
    Thread.sleep(1000);
    return sensor.read(System.nanoTime());
  }

  private static Optional<ProcessHandle> helper() {
    return ProcessHandle.current()
        .children()
        .filter(child -> child.info().command().filter(KILLER.toString()::equals).isPresent())
        .findFirst();
  }

  @Test
  void aCgroupCountsOnlyWhatRunsInIt() throws Exception {
    sensor = sensor(production("busy"));
    assertThat(overASecond().value().orElseThrow()).isPositive();
    sensor.close();
    sensor = sensor(production("idle"));
    assertThat(overASecond().missing()).contains("the foreground did not run");
    sensor.close();
    sensor = sensor(production("*"));
    assertThat(overASecond().value().orElseThrow()).isPositive();
  }

  @Test
  void theNodeMinusBestEffortIsCountedWithoutCapabilities() throws Exception {
    assertThat(overASecond().value().orElseThrow()).isPositive();
    ProcessHandle counting = helper().orElseThrow();
    assertThat(Files.readAllLines(Path.of("/proc", Long.toString(counting.pid()), "status")))
        .contains("CapPrm:\t0000000000000000", "CapEff:\t0000000000000000", "NoNewPrivs:\t1");
    sensor.close();
    counting.onExit().join();
  }

  @Test
  void hardwareCountersExistOrItSaysWhyNot() throws IOException {
    sensor =
        new InstructionsSensor(
            NodeSides.of(layout, List.of()),
            new Helper(List.of(KILLER.toString()), TIMEOUT),
            System::nanoTime);
    Optional<String> unavailable = sensor.unavailable();
    if (unavailable.isPresent()) {
      assertThat(unavailable.get())
          .containsAnyOf("has no counters", "do not advance", "CAP_PERFMON");
    } else {
      assertThat(sensor.read(System.nanoTime()).missing()).contains("a ratio needs two readings");
    }
  }

  @Test
  void withoutTheCgroupOfBestEffortItSaysSo() {
    CgroupHierarchy hierarchy = NodeSides.of(layout, List.of()).perfEvents().orElseThrow();
    Path bestEffort = layout.classDirectory(hierarchy, ContainerClass.BEST_EFFORT);
    assertThat(bestEffort.toFile().delete()).isTrue();
    assertThat(sensor.unavailable().orElseThrow())
        .contains(bestEffort.toString())
        .contains("No such file or directory");
    assertThat(sensor.read(System.nanoTime()).missing().orElseThrow())
        .contains("No such file or directory");
  }
}
