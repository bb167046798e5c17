/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

/**
 * What a node has and uses, seen alike where the node is a cgroup and where it is the machine.
 *
 * @param boundaryBytes what it has
 * @param usedBytes what of it is not free
 */
public record NodeUse(long boundaryBytes, long usedBytes) {
  /**
   * A node that is a cgroup.
   *
   * @param smallestLimitBytes of the cgroup and those above it
   * @param usageBytes {@code memory.usage_in_bytes} or {@code memory.current}
   */
  public static NodeUse ofCgroup(long smallestLimitBytes, long usageBytes) {
    return new NodeUse(smallestLimitBytes, usageBytes);
  }

  /**
   * A node that is the machine, by {@code /proc/meminfo}. Huge pages belong to nobody's boundary:
   * they are set aside, used or not.
   *
   * @param totalBytes MemTotal
   * @param freeBytes MemFree: page cache counts as used, as it does in a cgroup
   * @param hugePagesBytes Hugetlb
   */
  public static NodeUse ofMachine(long totalBytes, long freeBytes, long hugePagesBytes) {
    long boundary = Math.max(0, totalBytes - hugePagesBytes);
    return new NodeUse(boundary, Math.max(0, boundary - freeBytes));
  }
}
