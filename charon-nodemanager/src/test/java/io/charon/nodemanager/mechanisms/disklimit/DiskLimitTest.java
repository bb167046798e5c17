/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.disklimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.charon.core.law.disklimit.Disk;
import io.charon.core.law.disklimit.Disks;
import io.charon.core.law.disklimit.ReadShare;
import io.charon.core.law.memorylimit.Holder;
import io.charon.core.law.memorylimit.SlowSample;
import io.charon.core.mechanism.Action;
import io.charon.core.mechanism.Availability;
import io.charon.core.mechanism.Change;
import io.charon.core.mechanism.MechanismReport;
import io.charon.core.mechanism.Snapshot;
import io.charon.nodemanager.sensor.CgroupUse;
import io.charon.nodemanager.sensor.MemoryHolding;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests the mechanism's actions and reports in virtual time. */
class DiskLimitTest {
  private static final long MB = 1 << 20;
  private static final long SECOND = 1_000_000_000L;
  private Disks disks = disks(OptionalLong.of(200_000_000), OptionalLong.empty());

  private final DiskLimit mechanism = new DiskLimit(Availability.available(), new ReadShare(10));
  private long nanos;

  private static Disks disks(OptionalLong vda, OptionalLong vdb) {
    return new Disks(
        List.of(new Disk("254:0", "vda", vda, true), new Disk("254:16", "vdb", vdb, false)));
  }

  private static MemoryHolding production(long megabytes, boolean bestEffortRuns) {
    Holder holder = new Holder("p", megabytes * MB, megabytes * MB, 500 * MB);
    return new MemoryHolding(
        new SlowSample(1000 * MB, megabytes * MB, megabytes * MB, List.of(holder), 20 * MB, 0),
        megabytes * MB,
        0,
        0,
        new CgroupUse(0, 0, 0, 0, 0),
        bestEffortRuns);
  }

  private Action.SetLimit second(MemoryHolding holding) {
    nanos += SECOND;
    return (Action.SetLimit) mechanism.decide(new Snapshot(nanos, disks, holding)).get(0);
  }

  private Action.SetLimit blindSecond() {
    nanos += SECOND;
    return (Action.SetLimit) mechanism.decide(new Snapshot(nanos, disks)).get(0);
  }

  @Test
  void itsLimitIsAShareAndAllIsNone() {
    assertThat(second(production(100, true)).amount()).isEqualTo(1);
    assertThat(mechanism.report().value(MechanismReport.LIMIT)).isEmpty();

    Action.SetLimit limit = second(production(150, true));
    assertThat(limit.amount()).isEqualTo(0.1);
    assertThat(limit.change()).isEqualTo(Change.TIGHTEN);
    assertThat(limit.basis().rule()).isEqualTo("LIMIT");
    assertThat(limit.basis().reason()).endsWith("; p: 367 MB of page cache missing");
    assertThat(limit.basis().inputs())
        .containsEntry("missing", 350.0 * MB)
        .containsEntry("speed.vda", 200e6)
        .containsEntry("rate.vda", 20e6)
        .doesNotContainKeys("speed.vdb", "rate.vdb");
    assertThat(mechanism.report().value(MechanismReport.LIMIT)).hasValue(20e6);
    assertThat(mechanism.report().value(MechanismReport.CAPACITY)).hasValue(200e6);
    assertThat(mechanism.report().detail()).contains("vda delivered 200 MB/s recently");

    assertThat(second(production(500, true)).change()).isEqualTo(Change.WIDEN);
    assertThat(second(production(500, true)).change()).isEqualTo(Change.KEEP);
  }

  /** The share of each disk's speed stays, but not the rate that is written. */
  @Test
  void aDiskThatBecomesKnownOrFasterIsAChangeAndOneThatCannotBeReadIsNone() {
    second(production(100, true));
    second(production(150, true));
    assertThat(mechanism.rates()).containsExactly(Map.entry("254:0", 20_000_000L));
    disks = disks(OptionalLong.of(200_000_000), OptionalLong.of(2_000_000));
    Action.SetLimit both = second(production(200, true));
    assertThat(both.amount()).isEqualTo(0.1);
    assertThat(both.change()).isEqualTo(Change.TIGHTEN);
    assertThat(both.basis().inputs()).as("at least 4 MiB/s").containsEntry("rate.vdb", 4194304.0);
    disks = disks(OptionalLong.of(300_000_000), OptionalLong.empty());
    assertThat(second(production(250, true)).change()).isEqualTo(Change.WIDEN);
    disks = new Disks(List.of());
    assertThat(second(production(300, true)).change()).isEqualTo(Change.KEEP);
    assertThat(mechanism.rates())
        .containsExactly(Map.entry("254:0", 30_000_000L), Map.entry("254:16", 4_194_304L));
    disks = new Disks(List.of(new Disk("254:0", "vda", OptionalLong.empty(), true)));
    assertThat(second(production(350, true)).change()).as("a disk is gone").isEqualTo(Change.WIDEN);
  }

  @Test
  void withoutMeasuredHoldersALimitIsRemoved() {
    second(production(100, true));
    assertThat(second(production(150, true)).amount()).isEqualTo(0.1);
    assertThat(blindSecond().amount()).isEqualTo(1);
    assertThat(mechanism.report().cause().orElseThrow()).contains("could not be read");
  }

  @Test
  void withoutBestEffortNothingIsInTheWay() {
    second(production(100, false));
    assertThat(second(production(150, false)).amount()).isEqualTo(1);
    assertThat(mechanism.report().cause()).contains(DiskLimit.NO_BEST_EFFORT);
  }
}
