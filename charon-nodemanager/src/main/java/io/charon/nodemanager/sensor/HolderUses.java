/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.nodemanager.cgroup.CgroupVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the memory of cgroups that are entitled to some of it. A cgroup that cannot be read keeps
 * its last reading for {@link #MAX_AGE}, because without any reading it would lose its entitled
 * page cache to best-effort; the other cgroups are not affected. Not thread-safe.
 */
final class HolderUses {
  /** How long the last reading of an unreadable cgroup counts (our choice). */
  static final Duration MAX_AGE = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(HolderUses.class);

  private record Known(CgroupUse use, long nanos) {}

  private final CgroupVersion version;
  private final RoundRobinReader<Optional<CgroupUse>> turns =
      new RoundRobinReader<>(this::use, "it has no reading");
  private final Map<Path, Known> known = new HashMap<>();
  private final Set<Path> unreadable = new HashSet<>();
  private long nowNanos;

  HolderUses(CgroupVersion version) {
    this.version = version;
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
    unreadable.retainAll(present);
    Map<Path, CgroupUse> uses = new TreeMap<>();
    turns.next(present).forEach((cgroup, use) -> use.ifPresent(some -> uses.put(cgroup, some)));
    return uses;
  }

  private Optional<CgroupUse> use(Path cgroup) throws IOException {
    try {
      CgroupUse use = CgroupUse.read(cgroup, version);
      known.put(cgroup, new Known(use, nowNanos));
      unreadable.remove(cgroup);
      return Optional.of(use);
    } catch (IOException e) {
      if (!Files.exists(cgroup)) {
        throw e;
      }
      if (unreadable.add(cgroup)) {
        LOG.warn(
            "{}: its last reading is used for {} s, then its page cache counts with"
                + " the rest of the machine",
            e.getMessage(),
            MAX_AGE.toSeconds());
      }
      return Optional.ofNullable(known.get(cgroup))
          .filter(last -> nowNanos - last.nanos() <= MAX_AGE.toNanos())
          .map(Known::use);
    }
  }
}
