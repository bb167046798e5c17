/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.yarn;

import io.charon.nodemanager.container.ContainerInfo;
import io.charon.nodemanager.container.ContainerLedger;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.nodemanager.ContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;

/**
 * Finds promotions and demotions of running containers, and their new sizes, which YARN does not
 * report to executors. A new class of a container that is being launched is passed on once its
 * first process is known: before, there is no process to move, and the launch would go on in the
 * old class. Not thread-safe.
 */
final class ClassChanges {
  /**
   * Longest time that a change waits for a process, because an executor may not tell processes (our
   * choice).
   */
  private static final Duration MAX_WAIT = Duration.ofSeconds(30);

  private final Supplier<Collection<ContainerLedger.Entry>> known;
  private final Context context;
  private final ContainerExecutor executor;
  private final Consumer<ContainerInfo> changed;
  private final Consumer<ContainerInfo> resized;
  private final LongSupplier nanoClock;
  private final Map<ContainerId, Long> waitingSinceNanos = new HashMap<>();

  /**
   * Creates an instance that has found nothing.
   *
   * @param known the containers as the node knows them
   * @param context YARN's containers
   * @param executor knows the containers' processes
   * @param changed receives each container whose class has changed, and updates what is known
   * @param resized receives each container of which only the size has changed, and does the same
   * @param nanoClock monotonic nanoseconds
   */
  ClassChanges(
      Supplier<Collection<ContainerLedger.Entry>> known,
      Context context,
      ContainerExecutor executor,
      Consumer<ContainerInfo> changed,
      Consumer<ContainerInfo> resized,
      LongSupplier nanoClock) {
    this.known = known;
    this.context = context;
    this.executor = executor;
    this.changed = changed;
    this.resized = resized;
    this.nanoClock = nanoClock;
  }

  /** Compares all containers once. */
  void check() {
    Map<ContainerId, ContainerInfo> inNewClass = new HashMap<>();
    for (ContainerLedger.Entry entry : List.copyOf(known.get())) {
      ContainerId containerId = ContainerId.fromString(entry.info().containerId());
      Container container = context.getContainers().get(containerId);
      if (container == null || entry.stopped()) {
        continue;
      }
      ContainerInfo now = Containers.info(container);
      if (now.executionType() != entry.info().executionType()) {
        inNewClass.put(containerId, now);
      } else if (now.requestedBytes() != entry.info().requestedBytes()
          || now.requestedCores() != entry.info().requestedCores()) {
        resized.accept(now);
      }
    }
    waitingSinceNanos.keySet().retainAll(inNewClass.keySet());
    inNewClass.forEach(this::passOn);
  }

  private void passOn(ContainerId containerId, ContainerInfo now) {
    long nowNanos = nanoClock.getAsLong();
    long sinceNanos = waitingSinceNanos.computeIfAbsent(containerId, id -> nowNanos);
    if (executor.getProcessId(containerId) != null || nowNanos - sinceNanos >= MAX_WAIT.toNanos()) {
      waitingSinceNanos.remove(containerId);
      changed.accept(now);
    }
  }
}
