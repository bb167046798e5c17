/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import io.charon.core.law.memorylimit.Holder;
import io.charon.core.mechanism.Action;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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

  /**
   * The node's value is a multiple of a power of two, at most a 128th of the use, and is lowered
   * only once the use is two such steps below it, so that it does not change whenever production's
   * use does (ours). What it exceeds the use by is what best-effort may be given of it.
   */
  private static final int STEP_SHIFT = 7;

  private static final int STEPS_ABOVE_USE = 2;

  /** How often the cgroups above and beside the node's, and the written values, are read (ours). */
  private static final long CHECK_NANOS = Duration.ofSeconds(10).toNanos();

  /**
   * A value of memory.low that has to change.
   *
   * @param target the container's id, {@link Action#PRODUCTION} or {@link Action#NODE}
   * @param foundBytes the value now
   * @param wantedBytes the value that it should have
   */
  public record LowValue(String target, long foundBytes, long wantedBytes) {}

  private final CgroupLayout layout;
  private final Path node;
  private final Path production;
  private final Supplier<Optional<Path>> boundary;

  /** The values as they were read or written last; empty: to be read before the next change. */
  private Optional<Map<Path, Long>> written = Optional.empty();

  /** The node's value as it was decided last, whether it has been written or not. */
  private long nodeBytes;

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
   * Returns the values that have to change so that the production containers among the holders are
   * protected, and no others. Changes nothing.
   *
   * @param holders production containers and services outside YARN with their entitlements
   * @throws IOException naming the file that cannot be read
   */
  public List<LowValue> toChange(List<Holder> holders) throws IOException {
    Map<Path, Long> wanted = new LinkedHashMap<>();
    long entitled = 0;
    for (Holder holder : containers(holders)) {
      wanted.put(production.resolve(holder.name()), holder.rightBytes());
      entitled = MemoryAmount.sum(entitled, holder.rightBytes());
    }
    wanted.put(production, entitled);
    if (ownsNode()) {
      nodeBytes = forUse(usedByContainers(holders));
      wanted.put(node, nodeBytes);
    }
    Map<Path, Long> known = known();
    known.keySet().forEach(cgroup -> wanted.putIfAbsent(cgroup, 0L));
    List<LowValue> changes = new ArrayList<>();
    wanted.forEach(
        (cgroup, bytes) -> {
          long found = known.getOrDefault(cgroup, 0L);
          if (bytes != found && Files.isDirectory(cgroup)) {
            changes.add(new LowValue(target(cgroup), found, bytes));
          }
        });
    return changes;
  }

  private String target(Path cgroup) {
    if (cgroup.equals(node)) {
      return Action.NODE;
    }
    return cgroup.equals(production) ? Action.PRODUCTION : cgroup.getFileName().toString();
  }

  private Path cgroup(String target) {
    return switch (target) {
      case Action.NODE -> node;
      case Action.PRODUCTION -> production;
      default -> production.resolve(target);
    };
  }

  /**
   * Returns why the kernel might reclaim memory to which one of the holders is entitled although
   * production is protected, with the cure; empty if it reclaims all other memory first. What is
   * above and beside the node's cgroup is read every 10 s, and so is, by the next change, what has
   * been written. Changes nothing.
   *
   * @param nanos the current monotonic time
   * @param holders as for {@link #toChange}
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
      granted.assume(node, forUse(used));
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

  /** Returns the node's value for a use: the last one while it is neither too low nor too high. */
  private long forUse(long bytes) {
    long step = Math.max(MEBIBYTE, Long.highestOneBit(bytes >> STEP_SHIFT));
    boolean fits = bytes > 0 && nodeBytes >= bytes && nodeBytes - bytes <= STEPS_ABOVE_USE * step;
    return fits ? nodeBytes : (bytes + step - 1) / step * step;
  }

  /** Returns the cgroup of a service, whose name is its path below the mount point. */
  private Path service(Holder holder) {
    return layout.memory().mountPoint().resolve(holder.name().substring(1));
  }

  /**
   * Changes a value.
   *
   * @param target as in {@link LowValue}
   * @param bytes the new value
   * @return what was done
   * @throws IOException naming the file that cannot be written
   */
  public String set(String target, long bytes) throws IOException {
    Path cgroup = cgroup(target);
    try {
      MemoryAmount.write(low(cgroup), bytes);
    } catch (IOException e) {
      if (Files.isDirectory(cgroup)) {
        throw e;
      }
      written.ifPresent(known -> known.remove(cgroup));
      return "nothing: the container has ended";
    }
    written.ifPresent(known -> known.put(cgroup, bytes));
    return low(cgroup) + " set to " + MemoryAmount.inWords(bytes);
  }

  /**
   * Removes every protection, also that of an earlier process.
   *
   * @throws IOException naming a file that cannot be written; the others have been written
   */
  public void release() throws IOException {
    Optional<IOException> failure = Optional.empty();
    for (LowValue one : toChange(List.of())) {
      try {
        String unused = set(one.target(), one.wantedBytes());
      } catch (IOException e) {
        failure = Optional.of(e);
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  /** Returns the values of the cgroups; at first those that an earlier process wrote. */
  private Map<Path, Long> known() throws IOException {
    if (written.isEmpty()) {
      Map<Path, Long> found = new LinkedHashMap<>();
      if (ownsNode()) {
        found.put(node, MemoryAmount.read(low(node)));
      }
      found.put(production, MemoryAmount.read(low(production)));
      for (Path container : CgroupChildren.of(production)) {
        found.put(container, MemoryAmount.read(low(container)));
      }
      written = Optional.of(found);
    }
    return written.get();
  }

  private static Path low(Path cgroup) {
    return CgroupFile.MEMORY_LOW.path(cgroup, CgroupVersion.V2);
  }
}
