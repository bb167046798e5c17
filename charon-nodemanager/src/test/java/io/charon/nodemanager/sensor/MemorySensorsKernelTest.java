/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.scheduler.NodeMemory;
import io.charon.nodemanager.cgroup.CgroupFile;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupWriter;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.RealCgroups;
import io.charon.nodemanager.sensor.ContainerMemorySensor.ContainerMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests the sensors on this machine's kernel, in a node of 128 MB. */
@ExtendWith(RealCgroups.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MemorySensorsKernelTest {
  private static final long MIB = 1024 * 1024;
  private static final long NODE_BYTES = 128 * MIB;
  private static final Path PROC = Path.of("/proc");

  @TempDir private Path directory;
  private CgroupLayout layout;
  private CgroupWriter writer;
  private Process process;

  @BeforeEach
  void setUp() throws IOException {
    layout = RealCgroups.layout("sensors");
    writer = new CgroupWriter(layout, Optional.empty());
    writer.prepareNode();
    Files.writeString(
        CgroupFile.MEMORY_LIMIT.path(node(), layout.version()), Long.toString(NODE_BYTES));
  }

  @AfterEach
  void leaveNothingBehind() {
    for (String id : writer.containers()) {
      assertThat(writer.removeContainer(id)).isTrue();
    }
    assertThat(writer.removeNode()).isTrue();
    assertThat(node().getParent()).doesNotExist();
  }

  private Path node() {
    return layout.nodeDirectory(layout.memory());
  }

  /**
   * Starts a container with 20 to 40 MB of anonymous memory and a file of 40 MB in the page cache.
   */
  private void startContainer() throws Exception {
    List<Path> procs =
        writer.createContainer("c_1", ContainerClass.BEST_EFFORT, OptionalInt.empty());
    StringBuilder script = new StringBuilder(RealCgroups.entering(procs));
    script
        .append("head -c 41943040 /dev/zero > ")
        .append(directory.resolve("file"))
        .append("\nx=$(head -c 20971520 /dev/zero | tr '\\0' x)\necho ready\nsleep 60 & wait $!\n");
    process =
        new ProcessBuilder("/bin/sh", "-c", script.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(process.getInputStream().readNBytes("ready\n".length()))
        .asString()
        .isEqualTo("ready\n");
  }

  @Test
  void workingSetHasAnonymousMemoryButNoPageCache() throws Exception {
    startContainer();

    Map<String, ContainerMemory> containers = new ContainerMemorySensor(layout).read();

    assertThat(containers).containsOnlyKeys("c_1");
    ContainerMemory container = containers.get("c_1");
    assertThat(container.containerClass()).isEqualTo(ContainerClass.BEST_EFFORT);
    assertThat(container.workingSet().bytes()).isBetween(19 * MIB, 60 * MIB);
    Map<String, Long> tree = new ProcessTreeMemorySensor(PROC).read(Map.of("c_1", process.pid()));
    assertThat(tree.get("c_1")).isBetween(19 * MIB, 60 * MIB);
  }

  @Test
  void nodeHasItsLimitMinusTheWorkingSet() throws Exception {
    startContainer();
    try (MeminfoReader meminfo = new MeminfoReader(PROC);
        CgroupMemorySensor sensor = new CgroupMemorySensor(node(), layout.version(), meminfo)) {
      NodeMemory memory = sensor.read();
      // The kernel updates its statistics with some delay.
      long end = System.nanoTime() + 10_000_000_000L;
      while (memory.availableBytes() > NODE_BYTES - 19 * MIB && System.nanoTime() < end) {
        Thread.sleep(50);
        memory = sensor.read();
      }
      assertThat(memory.capacityBytes()).isEqualTo(NODE_BYTES);
      assertThat(memory.availableBytes()).isBetween(NODE_BYTES - 60 * MIB, NODE_BYTES - 19 * MIB);
      assertThat(sensor.availableAtLeast(memory.availableBytes() - 5 * MIB)).isTrue();
      assertThat(sensor.availableAtLeast(NODE_BYTES)).isFalse();
    }
  }

  @Test
  void aNodeThatVanishesIsNamedAndFoundAgain() throws Exception {
    try (MeminfoReader meminfo = new MeminfoReader(PROC);
        CgroupMemorySensor sensor = new CgroupMemorySensor(node(), layout.version(), meminfo)) {
      assertThat(sensor.read().capacityBytes()).isEqualTo(NODE_BYTES);
      assertThat(writer.removeNode()).isTrue();
      assertThatThrownBy(sensor::read)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(node().toString());

      writer.prepareNode();
      assertThat(sensor.read().capacityBytes()).isGreaterThan(NODE_BYTES);
    }
  }

  @Test
  void hostHasWhatTheKernelSays() throws IOException {
    try (MeminfoReader meminfo = new MeminfoReader(PROC)) {
      NodeMemory memory = meminfo.read();
      assertThat(Files.readString(PROC.resolve("meminfo")))
          .contains(" " + memory.capacityBytes() / 1024 + " kB");
      assertThat(memory.availableBytes()).isPositive();
    }
  }
}
