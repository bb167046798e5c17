/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.sls.node;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The running containers of a simulated node, killed ones that still hold memory included, and the
 * memory that they use together.
 */
final class RunningContainers {
  private final NodeSize size;
  private final ThrashModel thrash;
  private final Map<String, NodeContainer> byId = new LinkedHashMap<>();
  private final List<NodeContainer> inOrder = new ArrayList<>(); // The same, for fast iteration.
  private final List<NodeContainer> view = Collections.unmodifiableList(inOrder);
  private final Map<String, Long> usedBytes = new UsedBytes(byId);
  private MemoryPressure pressure;
  private double anonymousBytes;
  private double fileBytes;
  private long guaranteedRequestedBytes;
  private double resident;
  private double used;
  private double requested;
  private double productionUsed;
  private double productionRequested;

  /**
   * Creates an empty node.
   *
   * @param size size of the node
   * @param thrash slowdown by memory that does not fit
   */
  RunningContainers(NodeSize size, ThrashModel thrash) {
    this.size = size;
    this.thrash = thrash;
    this.pressure = new MemoryPressure(thrash, size.memoryBytes(), 0, 0);
  }

  /** Returns the containers in the order of their starts. */
  List<NodeContainer> list() {
    return view;
  }

  /** Returns a container; null if it does not run. */
  NodeContainer get(String containerId) {
    return byId.get(containerId);
  }

  /** Returns the anonymous memory of each container in bytes, as it is when it is read. */
  Map<String, Long> usedBytes() {
    return usedBytes;
  }

  /** Returns the sum of the requests of the guaranteed containers, in bytes. */
  long guaranteedRequestedBytes() {
    return guaranteedRequestedBytes;
  }

  /** Adds a container that starts. */
  void add(NodeContainer container) {
    ContainerPlan plan = container.plan();
    if (byId.put(plan.id(), container) != null) {
      throw new IllegalStateException("container " + plan.id() + " was started twice");
    }
    inOrder.add(container);
    if (!container.isBestEffort()) {
      guaranteedRequestedBytes += plan.requestedBytes();
    }
    measure();
  }

  /** Removes a container that ended. The memory is as before until {@link #measure()}. */
  void remove(NodeContainer container) {
    ContainerPlan plan = container.plan();
    byId.remove(plan.id());
    inOrder.remove(container);
    if (!container.isBestEffort()) {
      guaranteedRequestedBytes -= plan.requestedBytes();
    }
  }

  /** Adds up the memory of all containers. */
  void measure() {
    anonymousBytes = 0;
    fileBytes = 0;
    for (NodeContainer container : inOrder) {
      anonymousBytes += container.anonymous();
      fileBytes += container.file();
    }
    pressure = new MemoryPressure(thrash, size.memoryBytes(), anonymousBytes, fileBytes);
  }

  /**
   * Lets the containers run.
   *
   * @param elapsedNanos positive
   * @return whether a container's start is complete, so that it uses processors as a running one
   */
  boolean advance(long elapsedNanos) {
    boolean anyStarted = false;
    double all = 0;
    for (NodeContainer container : inOrder) {
      boolean starts = container.isStarting();
      double bytes = container.advance(elapsedNanos);
      anyStarted |= starts && !container.isStarting();
      all += bytes;
      if (container.isEndless()) {
        continue;
      }
      double asked = (double) container.plan().requestedBytes() * elapsedNanos;
      used += bytes;
      requested += asked;
      if (!container.isBestEffort()) {
        productionUsed += bytes;
        productionRequested += asked;
      }
    }
    resident += Math.min(all, (double) size.memoryBytes() * elapsedNanos);
    measure();
    return anyStarted;
  }

  /** Returns the memory use until now. */
  NodeUsage usage() {
    return new NodeUsage(resident, used, requested, productionUsed, productionRequested);
  }

  /** Returns what the memory that does not fit does to the containers. */
  MemoryPressure pressure() {
    return pressure;
  }

  /** Returns {@link NodeState#availableBytes()}. */
  long availableBytes() {
    double fileResident = fileBytes - pressure.fileShort();
    double free = size.memoryBytes() - (anonymousBytes - pressure.anonymousShort()) - fileResident;
    double kept = keptPageCache(fileResident, free);
    return Math.max(0, Math.min(size.memoryBytes(), Math.round(free + fileResident - kept)));
  }

  /**
   * Returns the page cache that does not count as available; pages read once stay cached only where
   * there is room.
   */
  private double keptPageCache(double fileResident, double free) {
    if (fileResident / 2 >= size.lowWatermarkBytes()) {
      return size.lowWatermarkBytes();
    }
    double streaming = 0;
    for (NodeContainer container : inOrder) {
      streaming += container.streaming();
    }
    double pageCache = fileResident + Math.min(streaming, Math.max(0, free));
    return Math.min(pageCache / 2, (double) size.lowWatermarkBytes());
  }

  /** Returns {@link NodeState#beyondSwapBytes()}. */
  long beyondSwapBytes() {
    return Math.max(0, Math.round(pressure.anonymousShort() - size.swapBytes()));
  }

  /**
   * Returns the time after which the remaining memory has to be looked at again, in nanoseconds:
   * when it could fall below a threshold, or when it runs short below it.
   *
   * @param lineBytes the least free memory at which anything could change
   * @return infinite if the containers cannot reach the threshold
   */
  double nanosToLine(double lineBytes) {
    if (anonymousBytes + fileBytes > size.memoryBytes() - lineBytes) {
      return Math.min((double) SimulatedNode.TICK_NANOS, nanosUntilShort(0));
    }
    double potential = 0;
    for (NodeContainer container : inOrder) {
      potential += container.potentialBytes();
    }
    // Growth is constant up to the next bend of a curve, so the time of the crossing is exact.
    return potential > size.memoryBytes() - lineBytes
        ? Math.min(nanosUntilBend(), nanosUntilShort(lineBytes))
        : Double.POSITIVE_INFINITY;
  }

  /** Returns the time until the growth of any container's memory changes, in nanoseconds. */
  private double nanosUntilBend() {
    double bend = Double.POSITIVE_INFINITY;
    for (NodeContainer container : inOrder) {
      bend = Math.min(bend, container.nanosToBend());
    }
    return Math.ceil(bend);
  }

  /**
   * Returns the time until the remaining memory falls just below a threshold at the present growth,
   * in nanoseconds.
   */
  private double nanosUntilShort(double lineBytes) {
    double growth = 0;
    for (NodeContainer container : inOrder) {
      growth += container.growth();
    }
    double left = size.memoryBytes() - lineBytes - anonymousBytes - fileBytes;
    return growth > 0 && left >= 0 ? Math.ceil(left / growth) + 1 : Double.POSITIVE_INFINITY;
  }

  /**
   * Checks that the counters belong to the same containers.
   *
   * @throws IllegalStateException if they do not
   */
  void checkInvariants() {
    if (byId.size() != inOrder.size() || guaranteedRequestedBytes < 0) {
      throw new IllegalStateException(
          "the node's counters are inconsistent: %d and %d containers, %d bytes guaranteed"
              .formatted(byId.size(), inOrder.size(), guaranteedRequestedBytes));
    }
  }
}
