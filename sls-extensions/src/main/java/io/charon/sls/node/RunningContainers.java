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
  private final boolean limited;
  private double limitBytes = Double.POSITIVE_INFINITY;
  private MemoryPressure pressure;
  private MemoryPressure withinLimit;
  private double anonymousBytes;
  private double fileBytes;
  private double bestEffortAnonymousBytes;
  private double bestEffortFileBytes;
  private double productionStreamingBytes;
  private double dyingBytes;
  private int bestEffortCount;
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
   * @param limited whether best-effort has a memory limit
   */
  RunningContainers(NodeSize size, ThrashModel thrash, boolean limited) {
    this.size = size;
    this.thrash = thrash;
    this.limited = limited;
    this.pressure = new MemoryPressure(thrash, size.memoryBytes(), 0, 0);
    this.withinLimit = pressure;
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

  /** Returns whether a best-effort container runs or still holds its memory. */
  boolean hasBestEffort() {
    return bestEffortCount > 0;
  }

  /** Adds a container that starts. */
  void add(NodeContainer container) {
    ContainerPlan plan = container.plan();
    if (byId.put(plan.id(), container) != null) {
      throw new IllegalStateException("container " + plan.id() + " was started twice");
    }
    inOrder.add(container);
    if (container.isBestEffort()) {
      bestEffortCount++;
    } else {
      guaranteedRequestedBytes += plan.requestedBytes();
    }
    measure();
  }

  /** Removes a container that ended. The memory is as before until {@link #measure()}. */
  void remove(NodeContainer container) {
    ContainerPlan plan = container.plan();
    byId.remove(plan.id());
    inOrder.remove(container);
    if (container.isBestEffort()) {
      bestEffortCount--;
    } else {
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
    if (limited) {
      measureSides();
    }
    press();
  }

  private void measureSides() {
    bestEffortAnonymousBytes = 0;
    bestEffortFileBytes = 0;
    productionStreamingBytes = 0;
    dyingBytes = 0;
    for (NodeContainer container : inOrder) {
      if (container.isBestEffort()) {
        bestEffortAnonymousBytes += container.anonymous();
        bestEffortFileBytes += container.file();
        dyingBytes += container.isDying() ? container.anonymous() : 0;
      } else {
        productionStreamingBytes += container.streaming();
      }
    }
  }

  private void press() {
    if (limited) {
      // Below its anonymous memory best-effort is not limited but killed.
      withinLimit =
          new MemoryPressure(
              thrash,
              Math.max(limitBytes, bestEffortAnonymousBytes),
              bestEffortAnonymousBytes,
              bestEffortFileBytes);
    }
    pressure =
        new MemoryPressure(
            thrash, size.memoryBytes(), anonymousBytes, fileBytes - withinLimit.fileShort());
  }

  /** Sets the memory that best-effort may hold, in bytes, and takes what it holds beyond that. */
  void limit(double bytes) {
    limitBytes = bytes;
    press();
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

  /** Returns whether memory in use does not fit into the node or into best-effort's limit. */
  boolean isUnderPressure() {
    return pressure.exists() || withinLimit.exists();
  }

  /** Returns what the memory that does not fit does to a container. */
  MemoryPressure pressureOn(NodeContainer container) {
    return container.isBestEffort() && withinLimit.exists() ? withinLimit : pressure;
  }

  /** Returns the memory that Linux charges to production, in bytes. Known only with a limit. */
  double productionChargedBytes() {
    return anonymousBytes + fileBytes - bestEffortBytes() + productionStreamingBytes;
  }

  /** Returns what best-effort needs, without pages that it reads once. Known only with a limit. */
  double bestEffortBytes() {
    return bestEffortAnonymousBytes + bestEffortFileBytes;
  }

  /** Returns the anonymous memory that killed containers still hold, in bytes. As above. */
  double dyingBytes() {
    return dyingBytes;
  }

  /** Returns the anonymous memory of best-effort, in bytes. Known only with a limit. */
  double bestEffortAnonymousBytes() {
    return bestEffortAnonymousBytes;
  }

  /** Returns {@link NodeState#availableBytes()}. */
  long availableBytes() {
    double fileResident = fileBytes - withinLimit.fileShort() - pressure.fileShort();
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

  /** Returns the time until the next container ends, in nanoseconds; infinite if none does. */
  double nanosToEnd(long nowNanos) {
    double soonest = Double.POSITIVE_INFINITY;
    for (NodeContainer container : inOrder) {
      soonest =
          Math.min(
              soonest,
              container.isDying()
                  ? container.releasedNanos() - nowNanos
                  : Math.ceil(container.nanosToEnd()));
    }
    return soonest;
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

  /**
   * Returns the time after which best-effort may have reached its limit, or the limit may have to
   * be lowered, in nanoseconds.
   *
   * @param bestEffortLimitBytes the limit
   * @param reserveBytes memory that stays free for production's growth
   * @return infinite if the containers cannot reach either
   */
  double nanosToLimit(double bestEffortLimitBytes, double reserveBytes) {
    if (!hasBestEffort()) {
      return Double.POSITIVE_INFINITY;
    }
    double left = size.memoryBytes() - reserveBytes - anonymousBytes - fileBytes;
    left -= productionStreamingBytes;
    double bestEffortLeft = bestEffortLimitBytes - bestEffortBytes();
    if (left < 0 || bestEffortLeft < 0) {
      return SimulatedNode.TICK_NANOS;
    }
    double growth = 0;
    double bestEffortGrowth = 0;
    double rise = 0;
    double bestEffortRise = 0;
    for (NodeContainer container : inOrder) {
      double more = container.potentialBytes() - container.anonymous() - container.file();
      rise += more;
      growth += container.growth();
      if (container.isBestEffort()) {
        bestEffortRise += more;
        bestEffortGrowth += container.growth();
      } else {
        rise += container.streamingPeak() - container.streaming();
        growth += container.streamingGrowth();
      }
    }
    if (rise <= left && bestEffortRise <= bestEffortLeft) {
      return Double.POSITIVE_INFINITY;
    }
    double reached =
        Math.min(nanosToGrow(left, growth), nanosToGrow(bestEffortLeft, bestEffortGrowth));
    return Math.min(nanosUntilBend(), reached);
  }

  private static double nanosToGrow(double bytes, double bytesPerNano) {
    return bytesPerNano > 0 ? Math.ceil(bytes / bytesPerNano) + 1 : Double.POSITIVE_INFINITY;
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
    return left >= 0 ? nanosToGrow(left, growth) : Double.POSITIVE_INFINITY;
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
