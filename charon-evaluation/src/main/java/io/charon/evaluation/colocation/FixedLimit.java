/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.evaluation.colocation;

import io.charon.nodemanager.cgroup.CgroupController;
import io.charon.nodemanager.cgroup.CgroupHierarchy;
import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.cgroup.CpuBandwidth;
import io.charon.nodemanager.mechanisms.network.TrafficShaper;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * A limit of all best-effort containers together that never changes: what an operator without a
 * regulator would set.
 *
 * @param mode the mode, which has no limit if it is not a static one
 * @param link the link by which the node sends, if that link is limited
 */
record FixedLimit(ColocationMode mode, ColocatedNode node, Optional<ShapedLink> link)
    implements Closeable {
  /**
   * Sets the limit. An agent that starts removes what it finds, so it has to run before.
   *
   * @throws IOException if the limit cannot be set here
   */
  void set() throws IOException {
    switch (mode.kind()) {
      case STATIC_QUOTA -> quota().limit(share() * node.bestEffortCpus());
      case STATIC_RATE -> shaper().limit(share() * link.orElseThrow().bytesPerSecond());
      default -> {
        // No limit, or one of launches.
      }
    }
  }

  /** Returns whether best-effort containers that request this memory together may run. */
  boolean admits(long requestedBytes) {
    return mode.kind() != ColocationMode.Kind.STATIC_MEMORY
        || requestedBytes <= share() * node.memoryCapacityBytes();
  }

  private double share() {
    return mode.percent() / 100.0;
  }

  private CpuBandwidth quota() throws IOException {
    CgroupHierarchy cpu =
        node.layout()
            .hierarchy(CgroupController.CPU)
            .orElseThrow(() -> new IOException("the cpu controller is not mounted"));
    return new CpuBandwidth(
        node.layout().classDirectory(cpu, ContainerClass.BEST_EFFORT), cpu.version());
  }

  private TrafficShaper shaper() {
    return link.orElseThrow().shaper();
  }

  /** Removes the limit. */
  @Override
  public void close() throws IOException {
    switch (mode.kind()) {
      case STATIC_QUOTA -> quota().unlimit();
      case STATIC_RATE -> shaper().undo();
      default -> {
        // Nothing was set.
      }
    }
  }
}
