/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.nodemanager.cgroup.FakeMachine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReclaimableContainersSensorTest {
  private static final String CONTAINER = "cgroup/charon/best-effort/container_1/";
  private static final String STAT =
      """
      active_anon 0
      inactive_anon 0
      active_file 0
      inactive_file 0
      """;

  @TempDir private Path root;
  private FakeMachine machine;

  @BeforeEach
  void container() {
    machine =
        FakeMachine.v2(root)
            .file("proc/meminfo", "SwapTotal: 0 kB\nSwapFree: 0 kB\n")
            .file(CONTAINER + "memory.current", "1000\n")
            .file(
                CONTAINER + "memory.stat",
                STAT + "workingset_refault_anon 2\nworkingset_refault_file 3\n");
  }

  private ReclaimableContainersSensor sensor() throws IOException {
    return new ReclaimableContainersSensor(machine.detect("/charon"), root.resolve("proc"));
  }

  private ReclaimableContainersSensor.Seen read() throws IOException {
    return sensor().read(id -> 0);
  }

  private OptionalDouble waited() throws IOException {
    return read().containers().get(0).waitedPercent();
  }

  /** Without counts of refaults, nothing would show that reclaimed memory is needed again. */
  @Test
  void aContainerWhoseRefaultsAreNotCountedIsOneWhoseWaitingIsUnknown() throws IOException {
    String pressure = "some avg10=0.25 avg60=0.00 avg300=0.00 total=1\n";
    machine
        .pageBytes(4096)
        .file(CONTAINER + "memory.pressure", pressure)
        .file(CONTAINER + "io.pressure", pressure);
    assertThat(waited()).hasValue(0.25);
    machine.file(CONTAINER + "memory.stat", STAT + "workingset_refault_file 3\n");
    assertThat(waited()).as("one of both is sufficient").hasValue(0.25);
    machine.file(CONTAINER + "memory.stat", STAT);
    assertThat(waited()).isEmpty();
  }

  @Test
  void aKernelThatCountsNoRefaultsIsNamed() throws IOException {
    machine.file("proc/pressure/memory", "");
    assertThat(sensor().availability().isAvailable()).as("unknown").isTrue();
    machine.file("cgroup/memory.stat", STAT + "workingset_refault_file 3\n");
    assertThat(sensor().availability().isAvailable()).isTrue();
    machine.file("cgroup/memory.stat", STAT);
    assertThat(sensor().availability().missing().orElseThrow()).contains("workingset_refault_*");
  }

  /** Kernels for arm64 may have pages of 64 KiB. */
  @ParameterizedTest
  @ValueSource(longs = {4096, 65536})
  void refaultsAreCountedInPagesOfTheKernel(long pageBytes) throws IOException {
    machine.pageBytes(pageBytes);
    assertThat(read().containers())
        .singleElement()
        .satisfies(container -> assertThat(container.refaultedBytes()).isEqualTo(5 * pageBytes));
  }

  @Test
  void withoutThePageSizeThereIsNoReading() throws IOException {
    assertThatThrownBy(this::read).isInstanceOf(IOException.class).hasMessageContaining("auxv");
    machine.pageBytes(0);
    assertThatThrownBy(this::read).hasMessageContaining("auxv has no page size");
    Files.write(root.resolve("proc/self/auxv"), new byte[] {6, 0, 0});
    assertThatThrownBy(this::read).hasMessageContaining("auxv has no page size");
  }

  @Test
  void thePageSizeIsThatOfThisMachine() throws IOException {
    Process getconf = new ProcessBuilder("getconf", "PAGESIZE").start();
    String bytes = new String(getconf.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    assertThat(PageSize.bytes(Path.of("/proc"))).hasToString(bytes.strip());
  }
}
