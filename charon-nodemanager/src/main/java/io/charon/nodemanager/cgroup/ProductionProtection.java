/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import io.charon.core.law.memorylimit.Holder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Makes the kernel reclaim other memory before that to which production containers are entitled
 * (memory.low, cgroup v2). The protection of a cgroup is at most that of its parent:
 *
 * <pre>
 *   NODE                    what its production containers use of their entitlements
 *   NODE/production         the sum of the entitlements
 *   NODE/production/ID      the container's entitlement
 * </pre>
 *
 * <p>The node's value follows the use: where cgroup2 is mounted with {@code memory_recursiveprot},
 * the kernel gives a part that no child claims to all children, best-effort among them.
 *
 * <p>Services outside YARN and cgroups above the node's are not changed, only read; so is the
 * node's own cgroup where that belongs to root. Not thread-safe.
 */
public final class ProductionProtection {
  private static final long MEBIBYTE = 1L << 20;

  /** Uses change between two readings; a sixteenth less protection than use is tolerated. */
  private static final int TOLERANCE_SHIFT = 4;

  /** How often the cgroups above and beside the node's, and the written values, are read (ours). */
  private static final long CHECK_NANOS = Duration.ofSeconds(10).toNanos();

  private final CgroupLayout layout;
  private final Path node;
  private final Path production;
  private final Supplier<Optional<Path>> boundary;

  /** Protected cgroups with their values; empty: to be read before the next change. */
  private Optional<Map<Path, Long>> written = Optional.empty();

  private Optional<String> cut = Optional.empty();
  private OptionalLong checkedNanos = OptionalLong.empty();

  /**
   * Creates an instance that has changed nothing.
   *
   * @param layout the node's cgroups, of version 2
   * @param boundary the cgroup whose limit is the node's memory; empty for the whole machine
   */
  public ProductionProtection(CgroupLayout layout, Supplier<Optional<Path>> boundary) {
    this.layout = layout;
    this.node = layout.nodeDirectory(layout.memory());
    this.production = layout.classDirectory(layout.memory(), ContainerClass.PRODUCTION);
    this.boundary = boundary;
  }

  /**
   * Protects the production containers among the holders, and no others.
   *
   * @param holders production containers and services outside YARN with their entitlements
   * @throws IOException naming the file that cannot be written
   */
  public void protect(List<Holder> holders) throws IOException {
    Map<Path, Long> wanted = new LinkedHashMap<>();
    long entitled = 0;
    for (Holder holder : containers(holders)) {
      wanted.put(
          layout.containerDirectory(layout.memory(), ContainerClass.PRODUCTION, holder.name()),
          holder.rightBytes());
      entitled = MemoryAmount.sum(entitled, holder.rightBytes());
    }
    wanted.put(production, entitled);
    if (ownsNode()) {
      wanted.put(node, wholeMebibytes(usedByContainers(holders)));
    }
    write(wanted);
  }

  /**
   * Returns why the kernel might reclaim memory to which one of the holders is entitled although
   * production is protected, with the cure; empty if it reclaims all other memory first. What is
   * above and beside the node's cgroup is read every 10 s, and so is, by the next change, what has
   * been written. Changes nothing.
   *
   * @param nanos the current monotonic time
   * @param holders as for {@link #protect}
   */
  public Optional<String> cut(long nanos, List<Holder> holders) {
    if (checkedNanos.isEmpty() || nanos - checkedNanos.getAsLong() >= CHECK_NANOS) {
      checkedNanos = OptionalLong.of(nanos);
      written = Optional.empty(); // a container that is launched again has a new cgroup
      try {
        cut = findCut(holders);
      } catch (IOException e) {
        cut = Optional.of(consequence(e.getMessage()));
      }
    }
    return cut;
  }

  private Optional<String> findCut(List<Holder> holders) throws IOException {
    EffectiveProtection granted =
        new EffectiveProtection(layout.memory().mountPoint(), boundary.get());
    long used = usedByContainers(holders);
    if (ownsNode()) {
      granted.assume(node, wholeMebibytes(used));
    }
    Optional<String> found = findCut(granted, node, used, "production uses");
    for (Holder holder : holders) {
      if (found.isEmpty() && !isContainer(holder)) {
        found =
            findCut(granted, service(holder), usedOfEntitlement(holder), holder.name() + " uses");
      }
    }
    return found;
  }

  private Optional<String> findCut(EffectiveProtection granted, Path cgroup, long bytes, String who)
      throws IOException {
    Optional<Path> less = granted.cut(cgroup, bytes - (bytes >> TOLERANCE_SHIFT));
    if (less.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        consequence(
            "%s %d MiB, of which memory.low protects only %d in %s: raise it %s (docs/memory-limit.md)"
                .formatted(
                    who,
                    bytes / MEBIBYTE,
                    granted.bytes(less.get()) / MEBIBYTE,
                    less.get(),
                    less.get().equals(node) && ownsNode()
                        ? "above, because cgroups beside it claim a part"
                        : "there, or above")));
  }

  private static String consequence(String reason) {
    return "best-effort is not given page cache that others hold beyond their entitlement, because Linux might"
        + " take memory to which they are entitled instead: "
        + reason;
  }

  private static List<Holder> containers(List<Holder> holders) {
    return holders.stream().filter(ProductionProtection::isContainer).toList();
  }

  /** The others are services, whose names are paths. */
  private static boolean isContainer(Holder holder) {
    return CgroupLayout.isContainerId(holder.name());
  }

  private static long usedByContainers(List<Holder> holders) {
    return containers(holders).stream().mapToLong(ProductionProtection::usedOfEntitlement).sum();
  }

  /** In a tree that root has delegated, the limits of its top stay with root. */
  private boolean ownsNode() {
    return Files.isWritable(low(node));
  }

  /** Without swap, which memory.low does not protect. */
  private static long usedOfEntitlement(Holder holder) {
    return Math.min(holder.residentBytes(), holder.rightBytes());
  }

  private static long wholeMebibytes(long bytes) {
    return (bytes + MEBIBYTE - 1) / MEBIBYTE * MEBIBYTE;
  }

  /** Returns the cgroup of a service, whose name is its path below the mount point. */
  private Path service(Holder holder) {
    return layout.memory().mountPoint().resolve(holder.name().substring(1));
  }

  /**
   * Removes every protection, also that of an earlier process.
   *
   * @throws IOException naming the file that cannot be written
   */
  public void release() throws IOException {
    write(Map.of());
  }

  /** Sets the wanted values, and removes all others; a failure does not affect the rest. */
  private void write(Map<Path, Long> wanted) throws IOException {
    Map<Path, Long> known = known();
    Map<Path, Long> all = new LinkedHashMap<>(wanted);
    known.keySet().forEach(cgroup -> all.putIfAbsent(cgroup, 0L));
    Optional<IOException> failure = Optional.empty();
    for (Map.Entry<Path, Long> one : all.entrySet()) {
      Path cgroup = one.getKey();
      try {
        if (!one.getValue().equals(known.getOrDefault(cgroup, 0L))) {
          MemoryAmount.write(low(cgroup), one.getValue());
          known.put(cgroup, one.getValue());
        }
      } catch (IOException e) {
        if (Files.isDirectory(cgroup)) {
          failure = Optional.of(e);
        } else {
          known.remove(cgroup);
        }
      }
    }
    known.values().removeIf(bytes -> bytes == 0);
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  /** Returns the protected cgroups; at first those that an earlier process protected. */
  private Map<Path, Long> known() throws IOException {
    if (written.isEmpty()) {
      Map<Path, Long> found = new HashMap<>();
      if (ownsNode()) {
        found.put(node, MemoryAmount.read(low(node)));
      }
      found.put(production, MemoryAmount.read(low(production)));
      for (Path container : CgroupChildren.of(production)) {
        found.put(container, MemoryAmount.read(low(container)));
      }
      found.values().removeIf(bytes -> bytes == 0);
      written = Optional.of(found);
    }
    return written.get();
  }

  private static Path low(Path cgroup) {
    return CgroupFile.MEMORY_LOW.path(cgroup, CgroupVersion.V2);
  }
}
