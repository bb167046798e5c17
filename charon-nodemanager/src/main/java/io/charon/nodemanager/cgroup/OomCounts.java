/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How often the kernel's OOM killer acted in a cgroup and below since the cgroup was made.
 *
 * @param kills processes that it killed
 * @param ownLimitHits how often a limit of the cgroup itself, or of one below it, was reached: on
 *     version 2 until the OOM killer was called, on version 1 also where reclaim made room. Read
 *     only if there were kills
 */
public record OomCounts(long kills, long ownLimitHits) {
  /** Returns the counts of a cgroup in which nothing has happened. */
  public static OomCounts none() {
    return new OomCounts(0, 0);
  }

  /**
   * Reads the counts of a cgroup; zeros if there is no such cgroup or the kernel does not count
   * (before 4.13).
   */
  static OomCounts of(Path cgroup, CgroupVersion version) throws IOException {
    if (version == CgroupVersion.V2) { // the counts include those below
      Optional<String> events =
          CgroupDirectories.readIfPresent(CgroupFile.OOM_EVENTS.path(cgroup, version));
      return new OomCounts(count(events, "oom_kill "), count(events, "oom "));
    }
    long kills = killsOfVersion1(cgroup);
    return new OomCounts(kills, kills == 0 ? 0 : limitHitsOfVersion1(cgroup));
  }

  private static long killsOfVersion1(Path cgroup) throws IOException {
    long kills =
        count(
            CgroupDirectories.readIfPresent(CgroupFile.OOM_EVENTS.path(cgroup, CgroupVersion.V1)),
            "oom_kill ");
    for (Path child : CgroupChildren.of(cgroup)) {
      kills += killsOfVersion1(child);
    }
    return kills;
  }

  private static long limitHitsOfVersion1(Path cgroup) throws IOException {
    long hits =
        CgroupDirectories.readIfPresent(CgroupFile.LIMIT_HITS.path(cgroup, CgroupVersion.V1))
            .map(Long::parseLong)
            .orElse(0L);
    for (Path child : CgroupChildren.of(cgroup)) {
      hits += limitHitsOfVersion1(child);
    }
    return hits;
  }

  private static long count(Optional<String> events, String key) {
    return events
        .flatMap(text -> text.lines().filter(line -> line.startsWith(key)).findFirst())
        .map(line -> Long.parseLong(line.substring(key.length())))
        .orElse(0L);
  }

  /** Returns the sum of both. */
  OomCounts plus(OomCounts other) {
    return new OomCounts(kills + other.kills, ownLimitHits + other.ownLimitHits);
  }

  /**
   * Returns whether processes were killed since an earlier reading, and for a limit further up or
   * for the whole machine: no limit of the cgroup itself was reached meanwhile.
   */
  public boolean killedFromAboveSince(OomCounts earlier) {
    return kills > earlier.kills && ownLimitHits <= earlier.ownLimitHits;
  }
}
