/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.law.memorylimit.Holder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with files instead of cgroups of version 2. */
class ProductionProtectionTest {
  private static final long MB = 1 << 20;
  private static final String NODE = "cgroup/hadoop.slice/nm.service/charon";
  private static final String DATABASE = "cgroup/system.slice/database.service";

  @TempDir private Path root;
  private FakeMachine machine;
  private Optional<Path> boundary = Optional.empty();
  private ProductionProtection protection;

  @BeforeEach
  void cgroups() throws CgroupException {
    machine = FakeMachine.v2(root);
    for (String cgroup :
        List.of(
            "cgroup/hadoop.slice",
            "cgroup/hadoop.slice/nm.service",
            NODE,
            NODE + "/production",
            NODE + "/production/c_1",
            NODE + "/production/c_2",
            "cgroup/system.slice",
            DATABASE)) {
      low(cgroup, "0");
    }
    protection = fresh();
  }

  private ProductionProtection fresh() throws CgroupException {
    return new ProductionProtection(
        machine.detect("/hadoop.slice/nm.service/charon"), () -> boundary);
  }

  private void low(String cgroup, String value) {
    machine.file(cgroup + "/memory.low", value + "\n");
  }

  private String low(String cgroup) throws IOException {
    return machine.read(cgroup + "/memory.low");
  }

  private void unitsProtect(String value) {
    low("cgroup/hadoop.slice", value);
    low("cgroup/hadoop.slice/nm.service", value);
  }

  private static Holder holder(String name, long usedMegabytes, long rightBytes) {
    return new Holder(name, usedMegabytes * MB, 0, rightBytes);
  }

  private static final List<Holder> TWO =
      List.of(holder("c_1", 30, 100 * MB), holder("c_2", 70, 50 * MB));

  @Test
  void containersKeepTheirEntitlementAndTheNodeWhatTheyUseOfIt() throws IOException {
    unitsProtect("max");
    assertThat(protection.protect(TWO)).isEmpty();
    assertThat(low(NODE + "/production/c_1")).isEqualTo("" + 100 * MB);
    assertThat(low(NODE + "/production/c_2")).isEqualTo("" + 50 * MB);
    assertThat(low(NODE + "/production")).isEqualTo("" + 150 * MB);
    assertThat(low(NODE)).as("30 of 100 and 50 of 50").isEqualTo("" + 80 * MB);
  }

  @Test
  void theValuesFollowTheContainers() throws IOException {
    unitsProtect("max");
    protection.protect(TWO);
    Files.delete(machine.path(NODE + "/production/c_1/memory.low"));
    Files.delete(machine.path(NODE + "/production/c_1"));
    assertThat(protection.protect(List.of(holder("c_2", 20, 60 * MB), holder("c_3", 5, 9 * MB))))
        .as("c_3 has no cgroup yet")
        .isEmpty();
    assertThat(low(NODE + "/production/c_2")).isEqualTo("" + 60 * MB);
    assertThat(low(NODE)).isEqualTo("" + 25 * MB);
    assertThat(protection.protect(List.of())).isEmpty();
    assertThat(low(NODE + "/production/c_2")).as("it was demoted").isEqualTo("0");
    assertThat(low(NODE + "/production")).isEqualTo("0");
    assertThat(low(NODE)).isEqualTo("0");
  }

  @Test
  void releasingRemovesEverythingAlsoWhatAnEarlierProcessLeft() throws Exception {
    protection.protect(TWO);
    fresh().release();
    for (String cgroup : List.of(NODE, NODE + "/production", NODE + "/production/c_1")) {
      assertThat(low(cgroup)).isEqualTo("0");
    }
    protection = fresh();
    protection.release();
    unitsProtect("max");
    protection.protect(TWO);
    assertThat(low(NODE)).as("protected again").isEqualTo("" + 80 * MB);
  }

  @Test
  void aUnitAboveThatProtectsLessIsNamedWithTheCure() {
    unitsProtect("max");
    low("cgroup/hadoop.slice", "" + 79 * MB);
    assertThat(protection.protect(TWO).orElseThrow())
        .contains(
            machine.path("cgroup/hadoop.slice") + " is 79 MiB and they use 80 MiB",
            "raise it (docs/memory-limit.md)");
    boundary = Optional.of(machine.path("cgroup/hadoop.slice"));
    assertThat(protection.protect(TWO)).as("its own limit causes the reclaim").isEmpty();
    boundary = Optional.of(machine.path(NODE));
    unitsProtect("0");
    assertThat(protection.protect(TWO)).isEmpty();
  }

  @Test
  void aServiceThatIsNotProtectedIsNamedAndLeftAlone() throws IOException {
    unitsProtect("max");
    List<Holder> holders =
        List.of(TWO.get(0), holder("/system.slice/database.service", 40, Holder.ALL));
    assertThat(protection.protect(holders).orElseThrow()).contains(DATABASE + " is 0 MiB");
    low(DATABASE, "" + 40 * MB);
    assertThat(protection.protect(holders).orElseThrow()).contains("system.slice is 0 MiB");
    low("cgroup/system.slice", "max");
    assertThat(protection.protect(holders)).isEmpty();
    assertThat(low(DATABASE)).isEqualTo("" + 40 * MB);
  }

  @Test
  void entitlementsBeyondAnyAmountAreAllMemory() throws IOException {
    unitsProtect("max");
    assertThat(protection.protect(List.of(holder("c_1", 30, Holder.ALL), holder("c_2", 5, MB))))
        .isEmpty();
    assertThat(low(NODE + "/production/c_1")).isEqualTo("max");
    assertThat(low(NODE + "/production")).isEqualTo("max");
    assertThat(low(NODE)).isEqualTo("" + 31 * MB);
  }

  @Test
  void whatCannotBeWrittenIsSaidAndTriedAgain() throws IOException {
    unitsProtect("max");
    Path file = machine.path(NODE + "/production/memory.low");
    Files.delete(file);
    Files.createDirectory(file);
    assertThat(protection.protect(TWO).orElseThrow())
        .startsWith(
            "memory.low, which would keep production's memory, cannot be set: cannot read " + file);
    assertThatThrownBy(protection::release).hasMessageContaining(file.toString());
    Files.delete(file);
    low(NODE + "/production", "0");
    assertThat(protection.protect(TWO)).isEmpty();
    assertThat(low(NODE + "/production")).isEqualTo("" + 150 * MB);
  }

  /** A dangling link stands for a file without permission, which root would have. */
  @Test
  void theTopOfADelegatedTreeIsRootsAndOnlyRead() throws IOException {
    Path file = machine.path(NODE + "/memory.low");
    Files.delete(file);
    Files.createSymbolicLink(file, machine.path("nowhere"));
    unitsProtect("max");
    assertThat(protection.protect(TWO).orElseThrow()).contains("charon is 0 MiB");
    assertThat(low(NODE + "/production")).isEqualTo("" + 150 * MB);
    protection.release();
    assertThat(low(NODE + "/production")).isEqualTo("0");
  }
}
