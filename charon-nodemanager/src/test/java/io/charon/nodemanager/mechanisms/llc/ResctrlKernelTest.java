/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.llc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.charon.core.law.bandwidth.BandwidthCause;
import io.charon.core.law.bandwidth.BandwidthLaw.Allowed;
import io.charon.core.law.bandwidth.BandwidthLimit;
import io.charon.core.law.bandwidth.BandwidthUse;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Action.Basis;
import io.charon.core.mechanism.Change;
import io.charon.core.mechanism.Limit;
import io.charon.nodemanager.cgroup.CgroupThreads;
import io.charon.nodemanager.cgroup.CgroupVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests on a real resctrl if there is one: as root, {@code -Dcharon.resctrl=/sys/fs/resctrl}.
 * Creates its own group there, without threads, and removes it.
 */
@EnabledIfSystemProperty(
    named = "charon.resctrl",
    matches = "/.+",
    disabledReason = "no resctrl was named: -Dcharon.resctrl=/sys/fs/resctrl, as root")
class ResctrlKernelTest {
  private static final double SHARE = 0.3;

  @TempDir private Path empty;
  private Path directory;
  private ResctrlGroup group;

  @BeforeEach
  void makeGroup() throws IOException {
    directory = Path.of(System.getProperty("charon.resctrl"), "charon-test");
    Files.createDirectory(directory);
    group = new ResctrlGroup(directory);
  }

  @AfterEach
  void removeGroup() throws IOException {
    Files.delete(directory);
  }

  private GroupThreads nobody() {
    return new GroupThreads(
        group,
        new CgroupThreads(empty, CgroupVersion.V2),
        Path.of("/proc"),
        new RunningIds(Set::of, Set::of));
  }

  @Test
  void waysAreSetAndGivenBack() throws IOException {
    assumeTrue(group.hasWays(), "no cat_l3");
    assertThat(group.unavailable()).isEmpty();
    String before = Files.readString(ResctrlFiles.schemata(directory));
    CacheWays ways = new CacheWays(group, nobody());
    assertThat(ways.apply(limit(Limit.CACHE_WAYS, group.minWays(), group.ways())))
        .contains("%d of %d ways".formatted(group.minWays(), group.ways()));
    ways.undo();
    assertThat(Files.readString(ResctrlFiles.schemata(directory))).isEqualTo(before);
  }

  @Test
  void bandwidthIsCountedSetAndGivenBack() throws IOException {
    assumeTrue(BandwidthSchema.unavailable(group).isEmpty(), "no mba");
    String before = Files.readString(ResctrlFiles.schemata(directory));
    SortedMap<Integer, Allowed> allowed = new TreeMap<>();
    BandwidthUse seen = new BandwidthSensor(group.files()).domains();
    seen.domains()
        .keySet()
        .forEach(
            socket ->
                allowed.put(
                    socket, new Allowed(SHARE, OptionalDouble.of(1e10), BandwidthCause.FIXED)));
    BandwidthSchema lines = new BandwidthSchema(group, nobody(), () -> allowed);
    assertThat(lines.unavailable()).isEmpty();
    assertThat(lines.apply(limit(BandwidthLimit.LIMIT, 100 * SHARE, 100))).startsWith("MB:");
    assertThat(lines.holds()).isTrue();
    assertThat(Files.readString(ResctrlFiles.schemata(directory))).isNotEqualTo(before);
    lines.undo();
    assertThat(Files.readString(ResctrlFiles.schemata(directory))).isEqualTo(before);
  }

  private static Action.SetLimit limit(Limit of, double amount, double capacity) {
    return new Action.SetLimit(
        of,
        capacity,
        Optional.empty(),
        Change.TIGHTEN,
        true,
        new Basis("a test", Map.of(), amount, "a rule", "a reason"));
  }
}
