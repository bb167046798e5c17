/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.nodemanager.cgroup.CgroupVersion;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the memory of cgroups that are entitled to some of it. A cgroup that cannot be read keeps
 * its last reading for {@link #MAX_AGE}, because without any reading it would lose its entitled
 * page cache to best-effort; the other cgroups are not affected. Not thread-safe.
 */
final class HolderUses implements Closeable {
  /** How long the last reading of an unreadable cgroup counts (our choice). */
  static final Duration MAX_AGE = Duration.ofSeconds(30);

  private record Known(CgroupUse use, long nanos) {}

  private final RoundRobinReader<CgroupUse> turns;
  private final Map<Path, Known> known = new HashMap<>();
  private long nowNanos;

  HolderUses(CgroupVersion version) {
    this.turns =
        new RoundRobinReader<>(
            cgroup -> new Noted(cgroup, new CgroupUse.OpenFiles(cgroup, version)),
            "its last reading is used for %d s, and then its page cache counts with the rest of the machine"
                .formatted(MAX_AGE.toSeconds()));
  }

  /**
   * Reads the next {@link RoundRobinReader#MAX_READINGS} cgroups.
   *
   * @param present the cgroups that exist now
   * @param nanos current monotonic time
   * @return the last usable reading of each cgroup that has one
   */
  Map<Path, CgroupUse> next(Collection<Path> present, long nanos) {
    nowNanos = nanos;
    known.keySet().retainAll(present);
    Map<Path, CgroupUse> uses = turns.next(present);
    for (Path cgroup : turns.unreadable().keySet()) {
      Known last = known.get(cgroup);
      if (last != null && nanos - last.nanos() <= MAX_AGE.toNanos()) {
        uses.put(cgroup, last.use());
      }
    }
    return uses;
  }

  /** Reads a cgroup and notes the reading. */
  private final class Noted implements RoundRobinReader.Reading<CgroupUse> {
    private final Path cgroup;
    private final CgroupUse.OpenFiles files;

    Noted(Path cgroup, CgroupUse.OpenFiles files) {
      this.cgroup = cgroup;
      this.files = files;
    }

    @Override
    public CgroupUse read() throws IOException {
      CgroupUse use = files.read();
      known.put(cgroup, new Known(use, nowNanos));
      return use;
    }

    @Override
    public void close() throws IOException {
      files.close();
    }
  }

  @Override
  public void close() {
    turns.close();
  }
}
