/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.core.law.memorylimit.NodeUse;
import io.charon.nodemanager.cgroup.CgroupLayout;
import io.charon.nodemanager.cgroup.CgroupVersion;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.PseudoFile;
import io.charon.nodemanager.config.CharonSettings.MemoryBoundary;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * The boundary of a node's memory: a cgroup with a limit, or the machine. If a cgroup above the
 * configured one has a smaller limit, it is the boundary, because what runs beside the node in it
 * uses the same memory. A cgroup without a limit is not a boundary; then the machine is, and the
 * use by all of its processes counts.
 */
public final class NodeBoundary implements Closeable {
  private static final int BYTES_PER_KIB = 1024;

  private final Optional<SmallestLimit> limit;
  private final CgroupVersion version;
  private final PseudoFile meminfo;
  private volatile Optional<Path> cgroup;

  /**
   * The node's use, its swap, the page cache that could be dropped at once, and the mapped file
   * pages.
   */
  record Use(NodeUse node, long swapBytes, long cleanBytes, long mappedBytes) {}

  private NodeBoundary(Optional<Path> cgroup, CgroupVersion version, Path procRoot) {
    this.cgroup = cgroup;
    this.limit = cgroup.map(directory -> new SmallestLimit(directory, version));
    this.version = version;
    this.meminfo = new PseudoFile(procRoot.resolve("meminfo"));
  }

  /**
   * Returns the boundary that the operator configured, in its current state.
   *
   * @param wanted the configured boundary
   * @param layout the layout of the containers' cgroups
   * @param procRoot the mount point of proc
   * @throws IOException naming the file that cannot be read, or the key if the configured cgroup is
   *     not visible
   */
  public static NodeBoundary of(MemoryBoundary wanted, CgroupLayout layout, Path procRoot)
      throws IOException {
    Optional<Path> directory =
        switch (wanted) {
          case HOST -> Optional.empty();
          case SELF ->
              Optional.of(layout.selfMemoryDirectory().orElseThrow(() -> invisible(wanted)));
          case CGROUP -> Optional.of(layout.nodeDirectory(layout.memory()));
        };
    NodeBoundary boundary = new NodeBoundary(directory, layout.version(), procRoot);
    if (directory.isEmpty() || boundary.limitBytes() < boundary.machineBytes()) {
      return boundary;
    }
    boundary.close();
    return new NodeBoundary(Optional.empty(), layout.version(), procRoot);
  }

  /** Returns the failure to find the cgroup of a configured boundary, with its cure. */
  static IOException invisible(MemoryBoundary wanted) {
    return new IOException(
        "yarn.nodemanager.charon.node.memory-boundary is %s, but the memory cgroup of %s is not"
                .formatted(
                    wanted.name().toLowerCase(Locale.ROOT),
                    wanted == MemoryBoundary.SELF ? "the NodeManager" : "the containers")
            + " visible here: set the key to host, or make that cgroup visible");
  }

  /**
   * Returns why best-effort cannot be limited inside this boundary, with the cure; empty if it can.
   */
  public Optional<String> unsuitable(CgroupLayout layout) {
    Path bestEffort = layout.classDirectory(layout.memory(), ContainerClass.BEST_EFFORT);
    return cgroup
        .filter(directory -> !bestEffort.startsWith(directory))
        .map(
            directory ->
                "best-effort is not below "
                    + directory
                    + ", the cgroup of the node's memory boundary: set"
                    + " yarn.nodemanager.charon.node.memory-boundary to cgroup or host");
  }

  /**
   * Returns the cgroup of the boundary at the last reading; empty for the whole machine. Another
   * one may get the smallest limit later.
   */
  public Optional<Path> cgroup() {
    return cgroup;
  }

  /** Reads the limit, and finds out whose it is. */
  private long limitBytes() throws IOException {
    SmallestLimit.Found found = limit.orElseThrow().read();
    cgroup = Optional.of(found.cgroup());
    return found.bytes();
  }

  private long machineBytes() throws IOException {
    meminfo.read();
    return kib("MemTotal") - kib("Hugetlb");
  }

  private long kib(String field) {
    return BYTES_PER_KIB * Math.max(0, meminfo.find(field));
  }

  /** Reads the current use. */
  Use read() throws IOException {
    long machine = machineBytes();
    if (limit.isEmpty()) {
      return new Use(
          NodeUse.ofMachine(kib("MemTotal"), kib("MemFree"), kib("Hugetlb")),
          Math.max(0, kib("SwapTotal") - kib("SwapFree")),
          Math.max(
              0, kib("Active(file)") + kib("Inactive(file)") - kib("Dirty") - kib("Writeback")),
          kib("Mapped"));
    }
    long bytes = limitBytes();
    CgroupUse use = CgroupUse.read(cgroup.orElseThrow(), version);
    return new Use(
        NodeUse.ofCgroup(Math.min(bytes, machine), use.chargedBytes()),
        use.swapBytes(),
        use.cleanBytes(),
        use.mappedBytes());
  }

  @Override
  public void close() throws IOException {
    meminfo.close();
    if (limit.isPresent()) {
      limit.get().close();
    }
  }
}
