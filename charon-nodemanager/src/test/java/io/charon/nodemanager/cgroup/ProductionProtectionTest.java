/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.law.memorylimit.Holder;
import io.charon.nodemanager.cgroup.ProductionProtection.LowValue;
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
  private long nanos;

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
      use(cgroup, 1000);
    }
    use(DATABASE, 40);
    protection = fresh();
  }

  private ProductionProtection fresh() throws CgroupException {
    return new ProductionProtection(
        machine.detect("/hadoop.slice/nm.service/charon"), () -> boundary);
  }

  private void low(String cgroup, String value) {
    machine.file(cgroup + "/memory.low", value + "\n");
  }

  private void use(String cgroup, long megabytes) {
    machine.file(cgroup + "/memory.current", megabytes * MB + "\n");
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

  /** Protects, and looks again at what is above. */
  private Optional<String> protect(List<Holder> holders) throws IOException {
    nanos += 10_000_000_000L;
    Optional<String> cut = protection.cut(nanos, holders);
    set(holders);
    return cut;
  }

  private void set(List<Holder> holders) throws IOException {
    for (LowValue change : protection.toChange(holders)) {
      assertThat(protection.set(change.target(), change.wantedBytes()))
          .contains("memory.low set to");
    }
  }

  private static final List<Holder> TWO =
      List.of(holder("c_1", 30, 100 * MB), holder("c_2", 70, 50 * MB));

  @Test
  void containersKeepTheirEntitlementAndTheNodeWhatTheyUseOfIt() throws IOException {
    unitsProtect("max");
    assertThat(protect(TWO)).isEmpty();
    assertThat(low(NODE + "/production/c_1")).isEqualTo("" + 100 * MB);
    assertThat(low(NODE + "/production/c_2")).isEqualTo("" + 50 * MB);
    assertThat(low(NODE + "/production")).isEqualTo("" + 150 * MB);
    assertThat(low(NODE)).as("30 of 100 and 50 of 50").isEqualTo("" + 80 * MB);
  }

  @Test
  void onlyWhatDiffersHasToChange() throws IOException {
    unitsProtect("max");
    low(NODE, "" + 7 * MB);
    assertThat(protection.toChange(TWO))
        .containsExactlyInAnyOrder(
            new LowValue("c_1", 0, 100 * MB),
            new LowValue("c_2", 0, 50 * MB),
            new LowValue("production", 0, 150 * MB),
            new LowValue("node", 7 * MB, 80 * MB));
    assertThat(low(NODE)).as("nothing is changed yet").isEqualTo("" + 7 * MB);
    protect(TWO);
    assertThat(protection.toChange(TWO)).isEmpty();
    assertThat(protection.toChange(List.of(TWO.get(0))))
        .containsExactlyInAnyOrder(
            new LowValue("c_2", 50 * MB, 0),
            new LowValue("production", 150 * MB, 100 * MB),
            new LowValue("node", 80 * MB, 30 * MB));
  }

  @Test
  void theNodesValueStaysWhileTheUseChangesALittle() throws IOException {
    unitsProtect("max");
    protect(List.of(holder("c_1", 640, 800 * MB)));
    assertThat(low(NODE)).isEqualTo("" + 640 * MB);
    set(List.of(holder("c_1", 641, 800 * MB)));
    assertThat(low(NODE)).as("never below the use").isEqualTo("" + 644 * MB);
    for (long used : new long[] {640, 641, 639, 644, 636}) {
      assertThat(protection.toChange(List.of(holder("c_1", used, 800 * MB)))).isEmpty();
    }
    assertThat(protection.toChange(List.of(holder("c_1", 635, 800 * MB))))
        .containsExactly(new LowValue("node", 644 * MB, 636 * MB));
  }

  @Test
  void theValuesFollowTheContainers() throws IOException {
    unitsProtect("max");
    protect(TWO);
    Files.delete(machine.path(NODE + "/production/c_1/memory.low"));
    Files.delete(machine.path(NODE + "/production/c_1/memory.current"));
    Files.delete(machine.path(NODE + "/production/c_1"));
    assertThat(protect(List.of(holder("c_2", 20, 60 * MB), holder("c_3", 5, 9 * MB))))
        .as("c_3 has no cgroup yet")
        .isEmpty();
    assertThat(low(NODE + "/production/c_2")).isEqualTo("" + 60 * MB);
    assertThat(low(NODE)).isEqualTo("" + 25 * MB);
    assertThat(protect(List.of())).isEmpty();
    assertThat(low(NODE + "/production/c_2")).as("it was demoted").isEqualTo("0");
    assertThat(low(NODE + "/production")).isEqualTo("0");
    assertThat(low(NODE)).isEqualTo("0");
  }

  /** As after YARN has launched the container again. */
  @Test
  void aCgroupThatWasMadeAgainGetsItsValueAgain() throws IOException {
    protect(TWO);
    low(NODE + "/production/c_1", "0");
    set(TWO);
    assertThat(low(NODE + "/production/c_1")).as("read every ten seconds").isEqualTo("0");
    protect(TWO);
    assertThat(low(NODE + "/production/c_1")).isEqualTo("" + 100 * MB);
  }

  @Test
  void releasingRemovesEverythingAlsoWhatAnEarlierProcessLeft() throws Exception {
    protect(TWO);
    fresh().release();
    for (String cgroup : List.of(NODE, NODE + "/production", NODE + "/production/c_1")) {
      assertThat(low(cgroup)).isEqualTo("0");
    }
    protection = fresh();
    protection.release();
    unitsProtect("max");
    protect(TWO);
    assertThat(low(NODE)).as("protected again").isEqualTo("" + 80 * MB);
  }

  @Test
  void aCgroupAboveThatProtectsLessIsNamed() throws IOException {
    unitsProtect("max");
    low("cgroup/hadoop.slice", "" + 70 * MB);
    assertThat(protect(TWO).orElseThrow())
        .contains(
            "production uses 80 MiB, of which memory.low protects only 70 in "
                + machine.path("cgroup/hadoop.slice"));
    assertThat(low(NODE)).as("protected as far as possible").isEqualTo("" + 80 * MB);
    boundary = Optional.of(machine.path("cgroup/hadoop.slice"));
    assertThat(protect(TWO)).as("its own limit causes the reclaim").isEmpty();
    boundary = Optional.of(machine.path(NODE));
    unitsProtect("0");
    assertThat(protect(TWO)).isEmpty();
  }

  /** The kernel divides what a cgroup is granted among its children, if they claim more. */
  @Test
  void whatSiblingsClaimIsNotProductions() throws IOException {
    unitsProtect("max");
    low("cgroup/hadoop.slice", "" + 80 * MB);
    low("cgroup/hadoop.slice/nm.service", "" + 80 * MB);
    assertThat(protect(TWO)).isEmpty();
    low("cgroup/hadoop.slice/beside.service", "max");
    use("cgroup/hadoop.slice/beside.service", 80);
    assertThat(protect(TWO).orElseThrow())
        .contains("protects only 40 in " + machine.path("cgroup/hadoop.slice/nm.service"));
    use("cgroup/hadoop.slice/beside.service", 2);
    assertThat(protect(TWO)).as("a sixteenth is tolerated").isEmpty();
  }

  /** Neither production's nor a service's: nobody could raise a value so that it is. */
  @Test
  void memoryInSwapNeedsNoProtection() throws IOException {
    unitsProtect("" + 40 * MB);
    low("cgroup/system.slice", "max");
    low(DATABASE, "" + 100 * MB);
    List<Holder> holders =
        List.of(
            new Holder("c_1", 80 * MB, 40 * MB, 0, 100 * MB),
            new Holder("/system.slice/database.service", 80 * MB, 40 * MB, 0, 100 * MB));
    assertThat(protect(holders)).isEmpty();
    assertThat(low(NODE)).isEqualTo("" + 40 * MB);
  }

  /** For example a DataNode in the same slice. */
  @Test
  void whatCgroupsBesideTheNodeClaimIsNotProductions() throws IOException {
    unitsProtect("" + 80 * MB);
    assertThat(protect(TWO)).isEmpty();
    low("cgroup/hadoop.slice/nm.service/beside", "max");
    use("cgroup/hadoop.slice/nm.service/beside", 80);
    assertThat(protect(TWO).orElseThrow())
        .contains("protects only 40 in " + machine.path(NODE) + ": raise it above, because");
    unitsProtect("" + 160 * MB);
    assertThat(protect(TWO)).isEmpty();
    boundary = Optional.of(machine.path("cgroup/hadoop.slice/nm.service"));
    unitsProtect("0");
    assertThat(protect(TWO)).as("all claims are met at the limit itself").isEmpty();
  }

  @Test
  void theCgroupsAboveAreReadEveryTenSeconds() throws IOException {
    assertThat(protect(TWO)).isPresent();
    unitsProtect("max");
    assertThat(protection.cut(nanos + 9_000_000_000L, TWO)).isPresent();
    assertThat(protection.cut(nanos + 10_000_000_000L, TWO)).isEmpty();
  }

  /** The mount point is then an ordinary cgroup, below others that are not visible. */
  @Test
  void inACgroupNamespaceTheMountPointCountsToo() throws IOException {
    unitsProtect("max");
    low("cgroup", "0");
    use("cgroup", 1000);
    assertThat(protect(TWO).orElseThrow()).contains("protects only 0 in " + machine.path("cgroup"));
    low("cgroup", "max");
    assertThat(protect(TWO)).isEmpty();
  }

  @Test
  void aServiceThatIsNotProtectedIsNamedAndLeftAlone() throws IOException {
    unitsProtect("max");
    List<Holder> holders =
        List.of(TWO.get(0), holder("/system.slice/database.service", 40, Holder.ALL));
    assertThat(protect(holders).orElseThrow())
        .contains("database.service uses 40 MiB, of which memory.low protects only 0 in ");
    low(DATABASE, "" + 40 * MB);
    low("cgroup/system.slice", "0");
    assertThat(protect(holders).orElseThrow())
        .endsWith("system.slice: raise it there, or above (docs/memory-limit.md)");
    low("cgroup/system.slice", "max");
    assertThat(protect(holders)).isEmpty();
    assertThat(low(DATABASE)).isEqualTo("" + 40 * MB);
  }

  @Test
  void entitlementsBeyondAnyAmountAreAllMemory() throws IOException {
    unitsProtect("max");
    assertThat(protect(List.of(holder("c_1", 30, Holder.ALL), holder("c_2", 5, MB)))).isEmpty();
    assertThat(low(NODE + "/production/c_1")).isEqualTo("max");
    assertThat(low(NODE + "/production")).isEqualTo("max");
    assertThat(low(NODE)).isEqualTo("" + 31 * MB);
  }

  @Test
  void whatCannotBeWrittenIsSaidAndTriedAgain() throws IOException {
    unitsProtect("max");
    protect(TWO);
    Path file = machine.path(NODE + "/production/memory.low");
    Files.delete(file);
    Files.createDirectory(file);
    assertThatThrownBy(protection::release).hasMessageContaining("cannot write " + file);
    assertThat(low(NODE)).as("the rest").isEqualTo("0");
    assertThat(low(NODE + "/production/c_1")).as("the rest").isEqualTo("0");
    Files.delete(file);
    low(NODE + "/production", "" + 150 * MB);
    protection.release();
    assertThat(low(NODE + "/production")).isEqualTo("0");
  }

  /** A dangling link stands for a file without permission, which root would have. */
  @Test
  void theTopOfADelegatedTreeIsRootsAndOnlyRead() throws IOException {
    Path file = machine.path(NODE + "/memory.low");
    Files.delete(file);
    Files.createSymbolicLink(file, machine.path("nowhere"));
    unitsProtect("max");
    assertThat(protect(TWO).orElseThrow()).contains("protects only 0 in " + machine.path(NODE));
    assertThat(low(NODE + "/production")).isEqualTo("" + 150 * MB);
    protection.release();
    assertThat(low(NODE + "/production")).isEqualTo("0");
  }
}
