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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private final CgroupLayout layout;
  private final Path node;
  private final Path production;
  private final Supplier<Optional<Path>> boundary;

  /** Protected cgroups with their values; empty before the first change. */
  private Optional<Map<Path, Long>> written = Optional.empty();

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
   * Protects the production containers among the holders, and no others. Never throws because of
   * the machine.
   *
   * @param holders production containers and services outside YARN with their entitlements
   * @return why the kernel may yet reclaim memory to which one of the holders is entitled, with the
   *     cure; empty if it reclaims all other memory first
   */
  public Optional<String> protect(List<Holder> holders) {
    Map<Path, Long> wanted = new LinkedHashMap<>();
    long entitled = 0;
    long used = 0;
    for (Holder holder : holders) {
      if (CgroupLayout.isContainerId(holder.name())) {
        wanted.put(
            layout.containerDirectory(layout.memory(), ContainerClass.PRODUCTION, holder.name()),
            holder.rightBytes());
        entitled = MemoryAmount.sum(entitled, holder.rightBytes());
        used += usedOfEntitlement(holder);
      }
    }
    wanted.put(production, entitled);
    boolean ownsNode = ownsNode();
    if (ownsNode) {
      wanted.put(node, wholeMebibytes(used));
    }
    try {
      write(wanted);
      Optional<String> cut = cut(ownsNode ? node.getParent() : node, used);
      for (Holder holder : holders) {
        if (cut.isEmpty() && !CgroupLayout.isContainerId(holder.name())) {
          cut = cut(service(holder), usedOfEntitlement(holder));
        }
      }
      return cut;
    } catch (IOException e) {
      return Optional.of(
          "memory.low, which would keep production's memory, cannot be set: " + e.getMessage());
    }
  }

  /** In a tree that root has delegated, the limits of its top stay with root. */
  private boolean ownsNode() {
    return Files.isWritable(low(node));
  }

  private static long usedOfEntitlement(Holder holder) {
    return Math.min(holder.usedBytes(), holder.rightBytes());
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

  /** Sets the wanted values, and removes all others. */
  private void write(Map<Path, Long> wanted) throws IOException {
    Map<Path, Long> known = known();
    Map<Path, Long> all = new LinkedHashMap<>(wanted);
    known.keySet().forEach(cgroup -> all.putIfAbsent(cgroup, 0L));
    for (Map.Entry<Path, Long> one : all.entrySet()) {
      Path cgroup = one.getKey();
      if (!Files.isDirectory(cgroup)) {
        known.remove(cgroup);
      } else if (!one.getValue().equals(known.getOrDefault(cgroup, 0L))) {
        writeIfPresent(cgroup, one.getValue());
        known.put(cgroup, one.getValue());
      }
    }
    known.values().removeIf(bytes -> bytes == 0);
  }

  private static void writeIfPresent(Path cgroup, long bytes) throws IOException {
    try {
      MemoryAmount.write(low(cgroup), bytes);
    } catch (IOException e) {
      if (Files.isDirectory(cgroup)) {
        throw e;
      }
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

  /** Returns which cgroup, from this one up to below the boundary, protects less than needed. */
  private Optional<String> cut(Path from, long bytes) throws IOException {
    Path top = boundary.get().orElse(layout.memory().mountPoint());
    for (Path cgroup = from;
        cgroup.startsWith(top) && !cgroup.equals(top);
        cgroup = cgroup.getParent()) {
      long kept = MemoryAmount.read(low(cgroup));
      if (kept < bytes) {
        return Optional.of(
            "best-effort is not given page cache that others hold beyond their entitlement: Linux might"
                + " reclaim memory to which they are entitled instead, because memory.low of %s is %d MiB and they use %d MiB: raise it (docs/memory-limit.md)"
                    .formatted(cgroup, kept / MEBIBYTE, bytes / MEBIBYTE));
      }
    }
    return Optional.empty();
  }

  private static Path low(Path cgroup) {
    return CgroupFile.MEMORY_LOW.path(cgroup, CgroupVersion.V2);
  }
}
