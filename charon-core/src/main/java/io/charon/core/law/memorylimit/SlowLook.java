/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.core.law.memorylimit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Who holds what, once a second: what fast looks need to know to tell need from excess.
 *
 * @param boundaryBytes all that the node has: the smallest limit of its cgroup and of those above,
 *     or the machine's memory without huge pages
 * @param othersBytes all use but best-effort's, with what others have in swap
 * @param othersCleanBytes clean page cache in it
 * @param holders those who are known, each with its right
 * @param systemRightBytes what the rest of the machine may keep as page cache (5 % of the boundary
 *     unless the operator says otherwise) beside what it has mapped
 * @param systemMappedBytes what of its page cache processes of the rest have mapped: that is in use
 */
public record SlowLook(
    long boundaryBytes,
    long othersBytes,
    long othersCleanBytes,
    List<Holder> holders,
    long systemRightBytes,
    long systemMappedBytes) {
  /** The share of the boundary that the rest of the machine has a right to, in percent (ours). */
  public static final int SYSTEM_RIGHT_PERCENT = 5;

  private static final String REST = "the rest of the machine";

  /** Copies the holders and adds the rest of the machine. */
  public SlowLook {
    if (boundaryBytes < 0
        || othersBytes < 0
        || othersCleanBytes < 0
        || systemRightBytes < 0
        || systemMappedBytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative");
    }
    holders = List.copyOf(holders);
  }

  /** Everybody who is not best-effort: those known, and last what is left of use. */
  public List<Holder> everybody() {
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

  /** Y of the law: clean page cache beyond the right of whoever holds it. */
  public long excessBytes() {
    return Math.min(othersBytes, everybody().stream().mapToLong(Holder::excessBytes).sum());
  }

  /** What others keep: their use without the excess. */
  public long keptBytes() {
    return othersBytes - excessBytes();
  }

  /**
   * What those who are known may still come to hold by right. The rest of the machine is not owed.
   */
  public long owedBytes() {
    return holders.stream().mapToLong(Holder::owedBytes).sum();
  }

  /** Who holds the most beyond his right; the rest of the machine has no cgroup to trim. */
  public Optional<Holder> largestExcess() {
    return holders.stream()
        .filter(holder -> holder.excessBytes() > 0)
        .max(Comparator.comparingLong(Holder::excessBytes));
  }
}
