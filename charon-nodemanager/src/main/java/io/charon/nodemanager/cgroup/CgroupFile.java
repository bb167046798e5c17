/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The files of a cgroup by meaning. Only this class knows the file names of both versions. */
public enum CgroupFile {
  /**
   * Processes of the cgroup, one pid per line; writing a pid moves that process into the cgroup.
   */
  PROCS("cgroup.procs", "cgroup.procs"),

  /** Writing 1 sends SIGKILL to every process of the cgroup and below (Linux 5.14). */
  KILL(null, "cgroup.kill"),

  /** Stops every process of the cgroup and below: FROZEN or THAWED; v2: 1 or 0 (Linux 5.2). */
  FREEZE("freezer.state", "cgroup.freeze"),

  /** Reclaims memory: on v1 as much as possible; on v2 the number of bytes written (Linux 5.19). */
  RECLAIM("memory.force_empty", "memory.reclaim"),

  /** Controllers that this cgroup can enable for its children. */
  CONTROLLERS(null, "cgroup.controllers"),

  /** Controllers that are enabled for the children; "+memory" enables one. */
  SUBTREE_CONTROL(null, "cgroup.subtree_control"),

  /** Keyed counters of the cgroup and everything below. */
  MEMORY_STAT("memory.stat", "memory.stat"),

  /** Charged memory including page cache and kernel memory, bytes. */
  MEMORY_USAGE("memory.usage_in_bytes", "memory.current"),

  /** Swap space used, bytes; on v1 it is in memory.stat. */
  SWAP_USAGE(null, "memory.swap.current"),

  /** Hard limit, bytes; no limit is "max" on v2 and a huge number on v1. */
  MEMORY_LIMIT("memory.limit_in_bytes", "memory.max"),

  /**
   * Hard limit of swap, bytes, if the kernel counts swap; on v1 of memory and swap together, and
   * never below that of memory.
   */
  SWAP_LIMIT("memory.memsw.limit_in_bytes", "memory.swap.max"),

  /**
   * Memory that the kernel never reclaims, bytes, or "max"; effective up to the value of the
   * parents.
   */
  MEMORY_MIN(null, "memory.min"),

  /** Memory that the kernel reclaims only if nothing else is left; otherwise like memory.min. */
  MEMORY_LOW(null, "memory.low"),

  /**
   * Keyed counters; oom_kill counts the processes that the kernel killed for memory. On v2 oom
   * counts how often a limit of the cgroup or below was the cause.
   */
  OOM_EVENTS("memory.oom_control", "memory.events"),

  /**
   * 1: the kernel's OOM killer ends all processes of the cgroup and below, or none (Linux 4.19).
   */
  OOM_GROUP(null, "memory.oom.group"),

  /** How often the cgroup's own limit refused memory, whether reclaim then made room or not. */
  LIMIT_HITS("memory.failcnt", null),

  /** Memory above which the kernel slows a cgroup down and reclaims; "max" for none; v2 only. */
  MEMORY_HIGH(null, "memory.high"),

  /** 0 to 100 (200 since Linux 5.8); version 2 has no such file per cgroup. */
  SWAPPINESS("memory.swappiness", null),

  /** 1: charges also count for the parents, as they always do on version 2. */
  USE_HIERARCHY("memory.use_hierarchy", null),

  /** Relative CPU weight: v1 2 to 262144, default 1024; v2 1 to 10000, default 100. */
  CPU_WEIGHT("cpu.shares", "cpu.weight"),

  /** 1: the cgroup gets only CPU time that no other cgroup wants (Linux 5.15). */
  CPU_IDLE("cpu.idle", "cpu.idle"),

  /**
   * CPU time in each period, microseconds. Without a quota it is -1 on v1 and "max" on v2, where
   * the file also holds the period.
   */
  CPU_QUOTA("cpu.cfs_quota_us", "cpu.max"),

  /** Length of the quota's period, microseconds; on v2 the second word of cpu.max. */
  CPU_PERIOD("cpu.cfs_period_us", null),

  /** Unused quota that may be used later, microseconds; at most the quota (Linux 5.14). */
  CPU_BURST("cpu.cfs_burst_us", "cpu.max.burst"),

  /** Keyed counters; on v2 including usage_usec, which exists even without the controller. */
  CPU_STAT("cpu.stat", "cpu.stat"),

  /**
   * CPU time used, nanoseconds; available where the cpuacct controller is mounted together with
   * cpu.
   */
  CPU_USAGE("cpuacct.usage", null),

  /** Pressure stall information about the CPU for the cgroup and everything below (Linux 4.20). */
  CPU_PRESSURE(null, "cpu.pressure"),

  /** Pressure stall information about memory. */
  MEMORY_PRESSURE(null, "memory.pressure"),

  /** Pressure stall information about disks. */
  DISK_PRESSURE(null, "io.pressure"),

  /**
   * Read limit of each disk: on v1 lines of major:minor and bytes per second; on v2 major:minor
   * with rbps, wbps, riops and wiops, where "max" means no limit.
   */
  DISK_READS("blkio.throttle.read_bps_device", "io.max"),

  /**
   * Relative weight on disks with the scheduler bfq, 1 to 1000, default 100; exists only if the
   * kernel has bfq.
   */
  BFQ_WEIGHT("blkio.bfq.weight", "io.bfq.weight"),

  /** Relative disk weight of io.cost, 1 to 10000, default 100. */
  DISK_WEIGHT(null, "io.weight"),

  /** Number of processes and threads of the cgroup and everything below. */
  PROCESS_COUNT("pids.current", "pids.current"),

  /**
   * Hard limit of that number, or "max"; a fork above it fails, and what runs already stays. The
   * root cgroup has no such file.
   */
  PROCESS_LIMIT("pids.max", "pids.max"),

  /** Threads of the cgroup, one id per line. */
  THREADS("tasks", "cgroup.threads"),

  /** CPUs as a list such as 0-3,8. */
  CPUSET_CPUS("cpuset.cpus", "cpuset.cpus"),

  /** CPUs that the cgroup may actually use, as a list. */
  CPUSET_EFFECTIVE_CPUS("cpuset.effective_cpus", "cpuset.cpus.effective"),

  /** NUMA nodes as a list. */
  CPUSET_MEMS("cpuset.mems", "cpuset.mems");

  private final String v1Name;
  private final String v2Name;

  CgroupFile(String v1Name, String v2Name) {
    this.v1Name = v1Name;
    this.v2Name = v2Name;
  }

  /** Returns the file in a cgroup directory; empty if that version has no such file. */
  public Optional<Path> in(Path cgroup, CgroupVersion version) {
    return Optional.ofNullable(version == CgroupVersion.V1 ? v1Name : v2Name).map(cgroup::resolve);
  }

  /**
   * Returns the file in a cgroup directory.
   *
   * @throws IllegalArgumentException if that version has no such file
   */
  public Path path(Path cgroup, CgroupVersion version) {
    return in(cgroup, version)
        .orElseThrow(() -> new IllegalArgumentException(this + " does not exist on " + version));
  }

  /**
   * Writes the file in a cgroup directory; never creates it.
   *
   * @throws IllegalArgumentException if that version has no such file
   */
  public void write(Path cgroup, CgroupVersion version, String value) throws IOException {
    CgroupDirectories.write(path(cgroup, version), value);
  }
}
