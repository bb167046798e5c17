/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import java.util.ArrayList;
import java.util.List;

/**
 * A slow sample, taken once a second: the holders of memory, which fast samples need to distinguish
 * need from excess.
 *
 * @param boundaryBytes the node's memory: the smallest limit of its cgroup and that cgroup's
 *     ancestors, or the machine's memory without huge pages
 * @param othersBytes all use except best-effort's, including the others' swap
 * @param othersCleanBytes clean page cache in it
 * @param holders the known holders, each with its entitlement
 * @param systemRightBytes page cache that the rest of the machine may keep in addition to its
 *     mapped page cache (5 % of the boundary unless the operator sets another value)
 * @param systemMappedBytes page cache that processes of the rest have mapped and therefore use
 */
public record SlowSample(
    long boundaryBytes,
    long othersBytes,
    long othersCleanBytes,
    List<Holder> holders,
    long systemRightBytes,
    long systemMappedBytes) {
  /** Default entitlement of the rest of the machine, in percent of the boundary. Our choice. */
  public static final int SYSTEM_RIGHT_PERCENT = 5;

  private static final String REST = "the rest of the machine";

  /** Checks the ranges and copies the holders. */
  public SlowSample {
    if (boundaryBytes < 0
        || othersBytes < 0
        || othersCleanBytes < 0
        || systemRightBytes < 0
        || systemMappedBytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative");
    }
    holders = List.copyOf(holders);
  }

  /** Returns all holders except best-effort: the known ones, and last the rest of the machine. */
  public List<Holder> allHolders() {
    List<Holder> all = new ArrayList<>(holders);
    long used = othersBytes;
    long clean = othersCleanBytes;
    for (Holder holder : holders) {
      used -= holder.usedBytes();
      clean -= holder.cleanCacheBytes();
    }
    used = Math.max(0, used);
    clean = Math.min(used, Math.max(0, clean));
    all.add(new Holder(REST, used, clean, used - clean + systemRightBytes + systemMappedBytes));
    return all;
  }

  /** Returns Y of the law: clean page cache beyond the entitlement of its holder, in bytes. */
  public long excessBytes() {
    return Math.min(othersBytes, allHolders().stream().mapToLong(Holder::excessBytes).sum());
  }

  /** Returns the memory that others keep: their use without the excess, in bytes. */
  public long keptBytes() {
    return othersBytes - excessBytes();
  }

  /**
   * Returns the part of the known holders' entitlement that they do not use yet, in bytes. The rest
   * of the machine is not owed anything.
   */
  public long owedBytes() {
    return holders.stream().mapToLong(Holder::owedBytes).sum();
  }
}
