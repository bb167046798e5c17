/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.nodemanager.agent.CharonNode;
import io.charon.nodemanager.cgroup.ContainerProcesses;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.CpuTimeTracker;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.util.Clock;
import org.apache.hadoop.yarn.util.ProcfsBasedProcessTree;
import org.apache.hadoop.yarn.util.SystemClock;

/**
 * The process tree of one container for YARN's container monitor. For each container, YARN's own
 * tree reads every process of the machine, which on a node with many of both takes more processor
 * time than the rest of the NodeManager. This tree reads the processes of the container's cgroup
 * instead, and thereby also finds those that left its session and lost their parent. YARN's own
 * tree is used for a container without a cgroup, as in mode {@code observe}, and on a node that
 * reads resident memory from {@code smaps}.
 *
 * <p>Set by {@code yarn.nodemanager.container-monitor.process-tree.class}.
 */
public final class CgroupProcessTree extends ProcfsBasedProcessTree {
  private static final Path PROC = Path.of("/proc");

  /** Fields of /proc/PID/stat after the command's name, counted from 0 (proc_pid_stat(5)). */
  private static final int USER_JIFFIES = 11;

  private static final int SYSTEM_JIFFIES = 12;
  private static final int VIRTUAL_BYTES = 20;
  private static final int RESIDENT_PAGES = 21;

  /**
   * The resources that a process used, at one update.
   *
   * @param age number of updates in which the process was seen, from 1
   * @param jiffies processor time since its start
   * @param newJiffies processor time since the previous update
   */
  private record Usage(
      int age, long virtualBytes, long residentBytes, long jiffies, long newJiffies) {}

  private final long first;
  private final Path procRoot;
  private final LongFunction<Optional<Set<Long>>> members;
  private final Clock clock;
  private final CpuTimeTracker processors = new CpuTimeTracker(JIFFY_LENGTH_IN_MILLIS);
  private boolean fromSmaps;
  private Optional<Map<Long, Usage>> seen = Optional.empty();
  private long cumulativeMillis;

  /**
   * Creates the tree of the container with the first process {@code pid}, on this process's node.
   */
  public CgroupProcessTree(String pid) {
    this(pid, PROC, CgroupProcessTree::membersByNode, SystemClock.getInstance());
  }

  CgroupProcessTree(
      String pid, Path procRoot, LongFunction<Optional<Set<Long>>> members, Clock clock) {
    super(pid, procRoot.toString(), clock);
    this.first = pid.matches("[0-9]{1,18}") ? Long.parseLong(pid) : 0;
    this.procRoot = procRoot;
    this.members = members;
    this.clock = clock;
  }

  private static Optional<Set<Long>> membersByNode(long process) {
    return CharonNodes.current()
        .map(CharonNodes.Joined::node)
        .flatMap(CharonNode::containerProcesses)
        .flatMap((ContainerProcesses processes) -> processes.of(process));
  }

  @Override
  public void setConf(Configuration configuration) {
    super.setConf(configuration);
    fromSmaps =
        configuration != null
            && configuration.getBoolean(
                YarnConfiguration.PROCFS_USE_SMAPS_BASED_RSS_ENABLED,
                YarnConfiguration.DEFAULT_PROCFS_USE_SMAPS_BASED_RSS_ENABLED);
  }

  @Override
  public void updateProcessTree() {
    Optional<Set<Long>> processes = fromSmaps ? Optional.empty() : members.apply(first);
    if (processes.isEmpty()) {
      seen = Optional.empty();
      super.updateProcessTree();
      return;
    }
    Map<Long, Usage> before = seen.orElse(Map.of());
    Map<Long, Usage> now = new HashMap<>();
    for (long process : processes.get()) {
      sample(process, before.get(process)).ifPresent(found -> now.put(process, found));
    }
    seen = Optional.of(now);
    cumulativeMillis +=
        JIFFY_LENGTH_IN_MILLIS * now.values().stream().mapToLong(Usage::newJiffies).sum();
  }

  private Optional<Usage> sample(long process, Usage before) {
    try {
      String stat = Files.readString(procRoot.resolve(Long.toString(process)).resolve("stat"));
      // The name is in parentheses, and may contain blanks and parentheses itself.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      long jiffies = Long.parseLong(fields[USER_JIFFIES]) + Long.parseLong(fields[SYSTEM_JIFFIES]);
      return Optional.of(
          new Usage(
              before == null ? 1 : before.age + 1,
              Long.parseLong(fields[VIRTUAL_BYTES]),
              Long.parseLong(fields[RESIDENT_PAGES]) * PAGE_SIZE,
              jiffies,
              jiffies - (before == null ? 0 : before.jiffies)));
    } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
      return Optional.empty(); // it has ended since it was listed
    }
  }

  @Override
  public List<String> getCurrentProcessIDs() {
    return seen.<List<String>>map(
            processes -> new ArrayList<>(processes.keySet().stream().map(String::valueOf).toList()))
        .orElseGet(super::getCurrentProcessIDs);
  }

  /**
   * Returns YARN's own dump, which names each process, for the message about a container that YARN
   * kills.
   */
  @Override
  public String getProcessTreeDump() {
    super.updateProcessTree();
    return super.getProcessTreeDump();
  }

  @Override
  public long getVirtualMemorySize(int olderThanAge) {
    return seen.map(processes -> sum(processes, olderThanAge, Usage::virtualBytes))
        .orElseGet(() -> super.getVirtualMemorySize(olderThanAge));
  }

  @Override
  public long getRssMemorySize(int olderThanAge) {
    return seen.map(processes -> sum(processes, olderThanAge, Usage::residentBytes))
        .orElseGet(() -> super.getRssMemorySize(olderThanAge));
  }

  private static long sum(
      Map<Long, Usage> processes, int olderThanAge, ToLongFunction<Usage> bytes) {
    List<Usage> older =
        processes.values().stream().filter(process -> process.age > olderThanAge).toList();
    return older.isEmpty() ? UNAVAILABLE : older.stream().mapToLong(bytes).sum();
  }

  @Override
  public long getCumulativeCpuTime() {
    return seen.isPresent() ? cumulativeMillis : super.getCumulativeCpuTime();
  }

  @Override
  public float getCpuUsagePercent() {
    if (seen.isEmpty()) {
      return super.getCpuUsagePercent();
    }
    long jiffies = seen.get().values().stream().mapToLong(Usage::jiffies).sum();
    processors.updateElapsedJiffies(BigInteger.valueOf(jiffies), clock.getTime());
    return processors.getCpuTrackerUsagePercent();
  }

  @Override
  public boolean contains(String pid) {
    return seen.map(processes -> getCurrentProcessIDs().contains(pid))
        .orElseGet(() -> super.contains(pid));
  }
}
