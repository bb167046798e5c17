/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

/**
 * The memory and the use of a node, in the same form whether the node is a cgroup or the machine.
 *
 * @param boundaryBytes the memory of the node
 * @param usedBytes the part of it that is not free
 */
public record NodeUse(long boundaryBytes, long usedBytes) {
  /**
   * Returns the use of a node that is a cgroup.
   *
   * @param smallestLimitBytes the smallest limit of the cgroup and its ancestors
   * @param usageBytes {@code memory.usage_in_bytes} or {@code memory.current}
   */
  public static NodeUse ofCgroup(long smallestLimitBytes, long usageBytes) {
    return new NodeUse(smallestLimitBytes, usageBytes);
  }

  /**
   * Returns the use of a node that is the machine, from {@code /proc/meminfo}. Huge pages are not
   * part of the boundary: they are set aside, used or not.
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
