/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.llc;

import io.charon.nodemanager.cgroup.CgroupThreads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Keeps exactly best-effort's threads in a resctrl group. The kernel does not: a thread stays in
 * its group when its container is promoted and its cgroup moves. Not thread-safe.
 */
final class GroupThreads {
  private final ResctrlGroup group;
  private final CgroupThreads bestEffort;
  private final Path procRoot;
  private final RunningIds running;
  private Set<String> bestEffortIds = Set.of();
  private boolean settled;

  /**
   * Creates an instance that has moved nothing.
   *
   * @param group the group of best-effort
   * @param bestEffort finds its threads
   * @param procRoot where proc is mounted
   * @param running shows promotions
   */
  GroupThreads(ResctrlGroup group, CgroupThreads bestEffort, Path procRoot, RunningIds running) {
    this.group = group;
    this.bestEffort = bestEffort;
    this.procRoot = procRoot;
    this.running = running;
  }

  /**
   * Moves best-effort's threads into the group, and all others from it to the default group.
   *
   * @return what was done, for the audit
   * @throws IOException naming the file and the thread
   */
  String follow() throws IOException {
    boolean promoted = hasPromoted();
    settled = false;
    bestEffortIds = running.bestEffort().get();
    // Members are read first: a thread that best-effort starts between both readings is not among
    // them, so it is not mistaken for a promoted one.
    Set<Long> members = group.members();
    Set<Long> threads = bestEffort.read();
    Set<Long> joining = new HashSet<>(threads);
    joining.removeAll(members);
    Set<Long> leaving = new HashSet<>(members);
    leaving.removeAll(threads);
    int left = group.release(leaving, procRoot); // first, because it frees production
    int joined = group.add(joining, procRoot);
    // A promotion is known before its cgroup has moved, and threads that leave may have started
    // others meanwhile; another pass finds both.
    settled = !promoted && left == 0;
    return String.format(Locale.ROOT, "%d threads moved", joined)
        + (left == 0 ? "" : String.format(Locale.ROOT, ", %d returned", left));
  }

  /** Returns whether no thread is known that should be elsewhere; reads no file. */
  boolean holds() {
    return settled && !hasPromoted();
  }

  private boolean hasPromoted() {
    return running.production().get().stream().anyMatch(bestEffortIds::contains);
  }

  /**
   * Moves all threads of the group to the default group.
   *
   * @throws IOException naming the file
   */
  void release() throws IOException {
    group.release(group.members(), procRoot);
  }
}
