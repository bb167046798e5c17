/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.agent;

import io.charon.core.cpuset.Cores;
import io.charon.core.law.ProcessLimit;
import io.charon.core.law.bandwidth.BandwidthUse;
import io.charon.core.law.disklimit.Disk;
import io.charon.core.law.disklimit.Disks;
import io.charon.core.law.eviction.EvictionRule.MemoryUse;
import io.charon.core.law.eviction.PressureRule.MemoryPressure;
import io.charon.core.law.eviction.SatisfactionRule.BestEffortQuota;
import io.charon.core.law.memorylimit.Holder;
import io.charon.core.law.memorylimit.KillCandidates;
import io.charon.core.law.memorylimit.SlowSample;
import io.charon.core.law.reclaim.ReclaimableContainers;
import io.charon.core.mechanism.BestEffortTasks;
import io.charon.core.mechanism.ContainerBandwidths;
import io.charon.core.mechanism.ContainerBandwidths.Bandwidth;
import io.charon.core.mechanism.CoreUse;
import io.charon.core.mechanism.LastKill;
import io.charon.core.mechanism.Measurement;
import io.charon.core.mechanism.NodeReading;
import io.charon.core.mechanism.PoolUse;
import io.charon.core.mechanism.ResourceUse;
import io.charon.core.mechanism.Snapshot;
import io.charon.core.mechanism.WorkingSet;
import io.charon.nodemanager.sensor.CgroupUse;
import io.charon.nodemanager.sensor.MemoryHolding;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Five minutes of a node of 8 cores and 16 GiB, with the readings of all mechanisms. What a
 * mechanism wants changes meanwhile, also in ways that do not change the number in its audit line,
 * or the name of its action.
 */
final class ReplayedNode {
  static final int SECONDS = 300;

  /** The highest memory bandwidth of a socket. */
  static final int PEAK_MEGABYTES = 10_000;

  private static final long MEBIBYTE = 1 << 20;
  private static final long GIBIBYTE = 1 << 30;
  private static final long CAPACITY = 16 * GIBIBYTE;

  /** When one of the containers has ended. */
  private static final int ENDS = 100;

  private static final WorkingSet WORKING_SET = WorkingSet.of(2 * GIBIBYTE);
  private static final String PRODUCTION = "container_1";
  private static final LastKill NO_KILL = new LastKill(OptionalLong.empty());

  private ReplayedNode() {}

  /** Returns the readings of a second, from 1 to {@link #SECONDS}. */
  static Snapshot at(int second) {
    return new Snapshot(
        Duration.ofSeconds(second).toNanos(),
        node(second),
        tasks(second),
        NO_KILL,
        memory(second),
        new MemoryPressure(isFull(second) ? 50 : 0, OptionalDouble.of(isFull(second) ? 50 : 0)),
        new BestEffortQuota(OptionalDouble.empty()),
        disks(second),
        processes(second),
        holding(second),
        candidates(second),
        bandwidth(second),
        quotas(second),
        pool(second),
        reclaimable(second));
  }

  /**
   * The foreground leaves two cores, and at the end fewer than one. It is pinned to no core, later
   * to two, then to two others. Once it waits for its cores more often, and later always.
   */
  private static NodeReading node(int second) {
    Measurement missing = Measurement.missing("no mechanism reads it");
    Cores all = Cores.parse("0-7");
    String pinned = second < 80 ? "" : second < 150 ? "0-1" : "2-3";
    double left = second < 160 ? 2 : 0.8;
    return new NodeReading(
        Duration.ofSeconds(second).toNanos(),
        "production",
        new ResourceUse(
            Measurement.ofBytes(othersBytes(second) - streamedBytes(second)),
            Measurement.ofBytes(bestEffortBytes(second)),
            Measurement.ofBytes(CAPACITY)),
        new ResourceUse(
            Measurement.of(8 - left), Measurement.of(0.97 * left), Measurement.of(all.count())),
        new CoreUse(all, all, Optional.of(Cores.parse(pinned)), Map.of(), Optional.empty()),
        new ResourceUse(
            Measurement.of(sentBytes(second)), Measurement.of(20e6), Measurement.of(125e6)),
        new NodeReading.Health(Measurement.of(waited(second)), missing, missing),
        missing);
  }

  /**
   * Seconds per second in which the foreground waits for a core: learned, worse, two new phases.
   */
  private static double waited(int second) {
    if (second >= 150) {
      return second < 215 ? 1 : 2;
    }
    if (second < 20) {
      return second % 2 == 0 ? 0.05 : 0.15;
    }
    return second >= 60 && second < 63 ? 0.17 : 0.1;
  }

  /** The foreground sends more for a while, in bytes per second. */
  private static double sentBytes(int second) {
    return second >= 70 && second < 76 ? 60e6 : second % 2 == 0 ? 10e6 : 12e6;
  }

  /** One container ends meanwhile. */
  private static List<Integer> running(int second) {
    return second < ENDS ? List.of(7, 8, 9) : List.of(7, 8);
  }

  private static BestEffortTasks tasks(int second) {
    return new BestEffortTasks(
        running(second).stream()
            .map(
                number ->
                    new BestEffortTasks.Task(
                        "container_" + number, WORKING_SET, false, 0, number == 9 ? 2 : 1, true))
            .toList());
  }

  private static KillCandidates candidates(int second) {
    return new KillCandidates(
        running(second).stream()
            .map(
                number ->
                    new KillCandidates.KillCandidate(
                        "container_" + number,
                        WORKING_SET,
                        Duration.ofSeconds(second).toMillis(),
                        true,
                        false))
            .toList());
  }

  private static long bestEffortBytes(int second) {
    return running(second).size() * WORKING_SET.bytes();
  }

  private static boolean isFull(int second) {
    return (second >= 30 && second < 40) || (second >= 120 && second < 130);
  }

  private static MemoryUse memory(int second) {
    return new MemoryUse((isFull(second) ? 13_120 : 8_192) * MEBIBYTE, CAPACITY);
  }

  /** While reads are limited, one disk becomes busy and the other one faster. */
  private static Disks disks(int second) {
    boolean both = second >= 30;
    return new Disks(
        List.of(
            new Disk(
                "254:0", "vda", OptionalLong.of(second < 40 ? 100_000_000 : 120_000_000), true),
            new Disk(
                "8:0", "sda", both ? OptionalLong.of(200_000_000) : OptionalLong.empty(), both)));
  }

  /** Production starts more and more threads, and ends them again. */
  private static ProcessLimit.Use processes(int second) {
    long production = second < 150 ? 10L * second : 200;
    return new ProcessLimit.Use(
        List.of(new ProcessLimit.Bound("kernel.pid_max", 32_768, production + 100)), 100);
  }

  /** Production fills its page cache from second 10 to 60. */
  private static long filledBytes(int second) {
    return Math.max(0, Math.min(second, 60) - 10) * MEBIBYTE;
  }

  /** Later it streams files: page cache beyond its entitlement. */
  private static long streamedBytes(int second) {
    return second >= 230 && second < 260 ? 5 * GIBIBYTE : 0;
  }

  /** Meanwhile it needs so much memory that best-effort cannot keep all of its containers. */
  private static long othersBytes(int second) {
    return GIBIBYTE
        + filledBytes(second)
        + streamedBytes(second)
        + (second >= ENDS - 2 && second < 130 ? 9 * GIBIBYTE : 0);
  }

  private static MemoryHolding holding(int second) {
    long used = othersBytes(second);
    long clean = filledBytes(second) + streamedBytes(second);
    return new MemoryHolding(
        new SlowSample(
            CAPACITY,
            used,
            clean,
            List.of(new Holder(PRODUCTION, used, clean, 4 * GIBIBYTE)),
            GIBIBYTE,
            0),
        used + bestEffortBytes(second),
        0,
        0,
        new CgroupUse(bestEffortBytes(second), 0, 0, 0, 0),
        true);
  }

  /** First 30 % of one socket and 50 % of the other, then 40 % of both, and at last all. */
  private static BandwidthUse bandwidth(int second) {
    if (second >= 200) {
      return bandwidth(0.1, 0.1);
    }
    return second < 100 ? bandwidth(0.536, 0.44) : bandwidth(0.488, 0.488);
  }

  private static BandwidthUse bandwidth(double... shares) {
    TreeMap<Integer, BandwidthUse.Domain> domains = new TreeMap<>();
    for (double share : shares) {
      domains.put(
          domains.size(),
          new BandwidthUse.Domain(
              OptionalDouble.of(share * PEAK_MEGABYTES * 1e6), OptionalDouble.empty()));
    }
    return new BandwidthUse(domains);
  }

  /** Another party raises the quota, and the container is demoted later. */
  private static ContainerBandwidths quotas(int second) {
    Bandwidth found = new Bandwidth(second < 100 ? 200_000 : 300_000, 100_000, 0);
    boolean production = second < 200;
    Bandwidth seen = production ? found : new Bandwidth(3_000_000, 1_000_000, 3_000_000);
    return new ContainerBandwidths(
        ContainerBandwidths.Burst.UP_TO_QUOTA,
        List.of(new ContainerBandwidths.Container(PRODUCTION, production, seen, found)),
        1);
  }

  /** One container gets a quota, is throttled and gets more; another one is pinned later. */
  private static PoolUse pool(int second) {
    OptionalDouble quota =
        second < 50 ? OptionalDouble.empty() : OptionalDouble.of(second < 100 ? 2 : 2.4);
    boolean pinned = second >= 150;
    return new PoolUse(
        8,
        1,
        List.of(
            new PoolUse.Member(
                PRODUCTION, false, 2, quota, quota.isPresent(), 1.0 * second, second),
            new PoolUse.Member("container_2", pinned, 2, OptionalDouble.of(2), true, 0, 0)));
  }

  /** A container that uses little of its memory, of which it gives some back. */
  private static ReclaimableContainers reclaimable(int second) {
    long bytes = second < 200 ? GIBIBYTE : GIBIBYTE / 2;
    return new ReclaimableContainers(
        List.of(
            new ReclaimableContainers.Container(
                "container_7", false, bytes, bytes / 2, bytes / 4, 0, 0, OptionalDouble.of(0))),
        0,
        0,
        NO_KILL);
  }
}
