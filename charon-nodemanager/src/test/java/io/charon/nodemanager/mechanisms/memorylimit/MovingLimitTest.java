/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.memorylimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.charon.core.law.memorylimit.Holder;
import io.charon.core.law.memorylimit.LimitBasis;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Change;
import io.charon.core.mechanism.Limit;
import io.charon.killer.client.MemoryLimitBasis;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.FakeMachine;
import io.charon.nodemanager.cgroup.ProductionProtection;
import io.charon.nodemanager.helper.Helper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with files instead of a cgroup. */
class MovingLimitTest {
  private static final long MB = 1 << 20;

  @TempDir private Path root;
  private final FakeMover mover = new FakeMover();

  private MovingLimit limit() {
    return limit("/none", CgroupVersion.V1);
  }

  private MovingLimit limit(String helper, CgroupVersion version) {
    return new MovingLimit(
        root,
        version,
        Optional.empty(),
        Optional.empty(),
        new Helper(List.of(helper), Duration.ofSeconds(10)),
        mover);
  }

  private static Action.SetLimit wanted(long megabytes) {
    return new Action.SetLimit(
        Limit.MEMORY_USE,
        400 * MB,
        Optional.empty(),
        Change.KEEP,
        true,
        new Basis("production", Map.of(), megabytes * MB, "stay", "as it was"));
  }

  private void cgroup(long useMegabytes) throws IOException {
    Files.writeString(root.resolve("memory.usage_in_bytes"), useMegabytes * MB + "\n");
    Files.writeString(root.resolve("memory.limit_in_bytes"), "9223372036854771712\n");
  }

  private long written() throws IOException {
    return Long.parseLong(Files.readString(root.resolve("memory.limit_in_bytes")).strip()) / MB;
  }

  @Test
  void whereTheProgramMovesItItIsWrittenOnceUntilThatRuns() throws IOException {
    cgroup(50);
    MovingLimit limit = limit();
    assertThat(limit.apply(wanted(100))).endsWith("may hold 100 MiB, moved every 20 ms");
    assertThat(written()).isEqualTo(100);
    assertThat(limit.holds()).isTrue();
    assertThat(limit.apply(wanted(80))).endsWith("may hold 80 MiB, moved every 20 ms");
    assertThat(written()).as("the program lowers it").isEqualTo(100);
  }

  @Test
  void whenTheProgramGoesOrComesItIsSetAnew() throws IOException {
    cgroup(50);
    MovingLimit limit = limit();
    limit.apply(wanted(100));
    mover.missing = Optional.of("it has ended");
    assertThat(limit.holds()).isFalse();
    assertThat(limit.apply(wanted(100))).endsWith("may hold 100 MiB");
    assertThat(written()).isEqualTo(100);
    assertThat(limit.holds()).isTrue();
    mover.missing = Optional.empty();
    assertThat(limit.holds()).isFalse();
  }

  /** With a limit below the use, the kernel would reclaim in the writing process, or kill. */
  @Test
  void withoutTheProgramItIsNeverBelowUseAndFollowsUseDown() throws IOException {
    cgroup(150);
    mover.missing = Optional.of("it has ended");
    MovingLimit limit = limit();
    limit.apply(wanted(100));
    assertThat(written()).isEqualTo(151);
    assertThat(limit.holds()).as("it has to become less").isFalse();
    cgroup(90);
    limit.apply(wanted(100));
    assertThat(written()).isEqualTo(100);
    assertThat(limit.holds()).isTrue();
  }

  @Test
  void whatCannotBeWrittenIsNamed() throws IOException {
    cgroup(50);
    Files.delete(root.resolve("memory.limit_in_bytes"));
    Files.createDirectory(root.resolve("memory.limit_in_bytes"));
    mover.missing = Optional.of("it has ended");
    assertThatThrownBy(() -> limit().apply(wanted(100)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("memory.limit_in_bytes");
  }

  @Test
  void aCgroupThatIsGoneIsNamedAndLeavesNothingToUndo() throws IOException {
    mover.missing = Optional.of("it has ended");
    assertThatThrownBy(() -> limit().apply(wanted(100)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("memory.usage_in_bytes");
    limit().undo();
    limit().sweep();
    assertThat(limit().unavailable().orElseThrow()).contains("memory.limit_in_bytes");
  }

  @Test
  void aLimitThatCannotBeRemovedAtOnceIsRemovedLater() throws IOException {
    cgroup(50);
    Files.writeString(root.resolve("tasks"), "1\n");
    Path helper = root.resolve("helper");
    Files.writeString(
        helper,
        "#!/bin/sh\n[ -e %1$s/works ] && echo 9223372036854771712 > %1$s/memory.limit_in_bytes\n"
            .formatted(root));
    Files.setPosixFilePermissions(helper, PosixFilePermissions.fromString("rwx------"));
    MovingLimit limit = limit(helper.toString(), CgroupVersion.V1);
    limit.apply(wanted(100));
    limit.undo();
    assertThat(written()).as("best-effort still runs").isEqualTo(100);

    Files.writeString(root.resolve("tasks"), "");
    limit.sweep();
    assertThat(written()).as("the helper fails").isEqualTo(100);
    Files.createFile(root.resolve("works"));
    limit.sweep();
    assertThat(limit.bytes()).isEmpty();
  }

  /** The kernel refuses a limit above the one that the program left for memory and swap. */
  @Test
  void withoutTheProgramMemoryAndSwapTogetherAreNotLimited() throws IOException {
    cgroup(50);
    Path both = Files.writeString(root.resolve("memory.memsw.limit_in_bytes"), 40 * MB + "\n");
    mover.missing = Optional.of("it has ended");
    MovingLimit limit = limit();
    limit.apply(wanted(100));
    assertThat(both).hasContent("-1");

    Files.writeString(root.resolve("tasks"), "");
    Files.writeString(both, 40 * MB + "\n");
    limit.undo();
    assertThat(both).hasContent("-1");
  }

  @Test
  void theOtherLimitIsRemovedFirst() throws IOException {
    cgroup(50);
    Path both = Files.writeString(root.resolve("memory.memsw.limit_in_bytes"), 40 * MB + "\n");
    Files.delete(root.resolve("memory.limit_in_bytes"));
    Files.createDirectory(root.resolve("memory.limit_in_bytes")); // cannot be written
    mover.missing = Optional.of("it has ended");
    assertThatThrownBy(() -> limit().apply(wanted(100))).isInstanceOf(IOException.class);
    assertThat(both).hasContent("-1");
  }

  /** The program slows best-effort down below the limit, and may have ended with that in place. */
  @Test
  void withoutTheProgramNothingSlowsBestEffortDown() throws IOException {
    unified(50, "max", "");
    Files.writeString(root.resolve("memory.high"), 40 * MB + "\n");
    mover.missing = Optional.of("it has ended");
    MovingLimit limit = limit("/none", CgroupVersion.V2);
    limit.apply(wanted(100));
    assertThat(Files.readString(root.resolve("memory.high"))).isEqualTo("max");

    Files.writeString(root.resolve("memory.high"), 40 * MB + "\n");
    limit.undo();
    assertThat(Files.readString(root.resolve("memory.high"))).isEqualTo("max");
    assertThat(limit.bytes()).isEmpty();
  }

  @Test
  void whereBestEffortGoesOnTheLimitStaysAndNothingSlowsItDown() throws IOException {
    unified(50, "" + 100 * MB, "17\n");
    Files.writeString(root.resolve("memory.high"), 98 * MB + "\n");
    MovingLimit limit = limit("/none", CgroupVersion.V2);
    limit.undo();
    assertThat(Files.readString(root.resolve("memory.high"))).isEqualTo("max");
    assertThat(limit.bytes()).hasValue(100 * MB);
  }

  /** Swap has a limit of its own there, which is as right without the program as with it. */
  @Test
  void onVersion2ALimitOfSwapThatTheProgramLeftStaysWhileItIsWanted() throws IOException {
    Path swap = unified(50, "max", "");
    Files.writeString(swap, "0\n");
    mover.missing = Optional.of("it has ended");
    MovingLimit limit = limit("/none", CgroupVersion.V2);
    limit.update(0, basis(0));
    limit.apply(wanted(100));
    assertThat(swap).hasContent("0");

    limit.update(0, basis(MemoryLimitBasis.ANY_SWAP));
    limit.apply(wanted(90));
    assertThat(swap).hasContent("max");
  }

  @Test
  void onVersion2TheLimitOfSwapOutlivesTheNodeManagerAndGoesWithTheLimit() throws IOException {
    Path swap = unified(50, "" + 100 * MB, "17\n");
    Files.writeString(swap, "0\n");
    limit("/none", CgroupVersion.V2).undo();
    assertThat(swap).as("best-effort still runs").hasContent("0");

    MovingLimit next = limit("/none", CgroupVersion.V2);
    next.undo();
    Files.writeString(root.resolve("cgroup.threads"), "");
    next.sweep();
    assertThat(swap).hasContent("max");
    assertThat(next.bytes()).isEmpty();
  }

  /** Of limits, a helper of an earlier release knows only that of memory. */
  @Test
  void theLimitOfSwapGoesEvenIfTheHelperDoesNotKnowIt() throws IOException {
    Path swap = unified(50, "max", "");
    Files.writeString(swap, "0\n");
    Path helper =
        Files.writeString(
            root.resolve("helper"), "#!/bin/sh\necho max > %s/memory.max\n".formatted(root));
    Files.setPosixFilePermissions(helper, PosixFilePermissions.fromString("rwx------"));
    MovingLimit limit = limit(helper.toString(), CgroupVersion.V2);
    limit.update(0, basis(0));
    limit.apply(wanted(100));
    assertThat(limit.bytes()).hasValue(100 * MB);
    assertThat(swap).hasContent("0");

    limit.apply(wanted(400));
    assertThat(limit.bytes()).isEmpty();
    assertThat(swap).hasContent("max");
  }

  /** Makes the files of a cgroup of version 2, and returns that of the limit of swap. */
  private Path unified(long useMegabytes, String max, String threads) throws IOException {
    Files.writeString(root.resolve("memory.current"), useMegabytes * MB + "\n");
    Files.writeString(root.resolve("memory.max"), max + "\n");
    Files.writeString(root.resolve("memory.high"), "max\n");
    Files.writeString(root.resolve("cgroup.threads"), threads);
    Files.writeString(root.resolve("cgroup.type"), "domain\n");
    return Files.writeString(root.resolve("memory.swap.max"), "max\n");
  }

  private static MemoryLimitBasis basis(long swapLimitBytes) {
    return new MemoryLimitBasis(
        1,
        new LimitBasis(400 * MB, 16 * MB, 0, 0, 0, 0, 0, true),
        0,
        OptionalLong.of(swapLimitBytes),
        OptionalInt.empty(),
        OptionalInt.empty(),
        false);
  }

  private MovingLimit limitWithProtection(FakeMachine machine) throws Exception {
    CgroupLayout layout = machine.detect("/charon");
    return new MovingLimit(
        machine.path("cgroup/charon/best-effort"),
        CgroupVersion.V2,
        Optional.empty(),
        Optional.of(new ProductionProtection(layout, Optional::empty)),
        new Helper(List.of("/none"), Duration.ofSeconds(10)),
        mover);
  }

  private static FakeMachine machine(Path root) {
    FakeMachine machine = FakeMachine.v2(root);
    for (String cgroup : List.of("", "/production", "/production/c_1", "/best-effort")) {
      machine.file("cgroup/charon" + cgroup + "/memory.low", "0\n");
    }
    return machine
        .file("cgroup/charon/best-effort/memory.current", 50 * MB + "\n")
        .file("cgroup/charon/best-effort/memory.max", "max\n")
        .file("cgroup/charon/best-effort/cgroup.threads", "17\n")
        .file("cgroup/charon/best-effort/cgroup.type", "domain\n");
  }

  /** Changes what the executor would change; returns whether best-effort may grow then. */
  private static boolean protect(MovingLimit limit, List<Holder> holders) throws IOException {
    for (Action change : limit.toProtect(0, holders, true)) {
      assertThat(limit.apply((Action.Protect) change)).contains("memory.low set to");
    }
    return limit.protects();
  }

  /** Otherwise Linux might take what production is entitled to instead of what nobody is. */
  @Test
  void bestEffortGrowsIntoOthersExcessOnlyWhileProductionIsProtected() throws Exception {
    FakeMachine machine = machine(root);
    List<Holder> holders = List.of(new Holder("c_1", 30 * MB, 20 * MB, 100 * MB));
    MovingLimit limit = limitWithProtection(machine);
    assertThat(limit.toProtect(0, holders, true)).extracting(Action::target).contains("c_1");
    assertThat(limit.protects()).as("it would be protected").isTrue();
    assertThat(machine.read("cgroup/charon/memory.low")).as("only decided").isEqualTo("0");
    assertThat(protect(limit, holders)).isTrue();
    assertThat(machine.read("cgroup/charon/production/c_1/memory.low")).isEqualTo("" + 100 * MB);
    assertThat(limit.toProtect(0, holders, true)).as("nothing differs").isEmpty();
    Files.delete(machine.path("cgroup/charon/production/memory.low"));
    Files.createDirectory(machine.path("cgroup/charon/production/memory.low"));
    List<Holder> less = List.of(new Holder("c_1", 30 * MB, 0, 90 * MB));
    assertThatThrownBy(() -> protect(limit, less)).hasMessageContaining("memory.low");
    assertThat(limit.toProtect(0, less, true)).as("tried again").hasSize(1);
    assertThat(limit.protects()).isFalse();
    assertThat(limit.unprotected().orElseThrow()).contains("memory.low");
    assertThat(protect(limit, holders)).as("as it was").isTrue();
    MovingLimit first = limit();
    assertThat(protect(first, holders)).as("version 1").isFalse();
    assertThat(first.unprotected()).isEmpty();
  }

  @Test
  void productionIsProtectedAsLongAsTheLimitStays() throws Exception {
    FakeMachine machine = machine(root);
    mover.missing = Optional.of("it has ended");
    MovingLimit limit = limitWithProtection(machine);
    limit.apply(wanted(100));
    protect(limit, List.of(new Holder("c_1", 30 * MB, 20 * MB, 100 * MB)));
    limit.undo();
    assertThat(machine.read("cgroup/charon/memory.low")).isEqualTo("" + 30 * MB);
    machine.file("cgroup/charon/best-effort/cgroup.threads", "");
    limit.sweep();
    assertThat(limit.bytes()).isEmpty();
    for (String cgroup : List.of("", "/production", "/production/c_1")) {
      assertThat(machine.read("cgroup/charon" + cgroup + "/memory.low")).isEqualTo("0");
    }
  }

  @Test
  void protectionThatCannotBeRemovedDoesNotKeepTheLimit() throws Exception {
    FakeMachine machine = machine(root);
    mover.missing = Optional.of("it has ended");
    MovingLimit limit = limitWithProtection(machine);
    protect(limit, List.of(new Holder("c_1", 30 * MB, 20 * MB, 100 * MB)));
    limit.apply(wanted(100));
    Path low = machine.path("cgroup/charon/production/memory.low");
    Files.delete(low);
    Files.createDirectory(low);
    machine.file("cgroup/charon/best-effort/cgroup.threads", "");
    assertThatThrownBy(limit::undo).hasMessageContaining(low.toString());
    assertThat(limit.bytes()).isEmpty();
    assertThat(machine.read("cgroup/charon/production/c_1/memory.low")).isEqualTo("0");
    Files.delete(low);
    machine.file("cgroup/charon/production/memory.low", "" + 100 * MB);
    limit.sweep();
    assertThat(machine.read("cgroup/charon/production/memory.low")).isEqualTo("0");
  }
}
