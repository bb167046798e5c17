/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.cpuweight;

import io.charon.nodemanager.cgroup.ContainerClass;
import io.charon.nodemanager.container.ContainerInfo;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Lowers the CPU weight of ApplicationMasters of best-effort applications, which run among
 * production: at their launch if it is known by then whom they work for, else as soon as it is.
 * Their memory and their scores stay protected. Thread-safe; nothing here waits.
 */
public final class MasterWeights {
  private final Function<String, Optional<Boolean>> bestEffort;
  private final Consumer<ContainerInfo> lower;
  private final Map<String, ContainerInfo> undecided = new ConcurrentHashMap<>();

  /**
   * Follows nobody yet.
   *
   * @param bestEffort whether an application is best-effort, by its id; empty while that is not
   *     known. Must not block
   * @param lower gives a container the lower weight
   */
  public MasterWeights(
      Function<String, Optional<Boolean>> bestEffort, Consumer<ContainerInfo> lower) {
    this.bestEffort = bestEffort;
    this.lower = lower;
  }

  /** A container has a cgroup, or another one than before; none but masters are followed. */
  public void follow(ContainerInfo container) {
    if (container.applicationMaster() && container.containerClass() == ContainerClass.PRODUCTION) {
      undecided.put(container.containerId(), container);
      decide(container);
    }
  }

  /** Looks whether more is known by now. */
  public void tick() {
    undecided.values().forEach(this::decide);
  }

  /** A container has ended. */
  public void stopped(String containerId) {
    undecided.remove(containerId);
  }

  private void decide(ContainerInfo master) {
    Optional<Boolean> known = bestEffort.apply(master.applicationId());
    if (known.isPresent() && undecided.remove(master.containerId(), master) && known.get()) {
      lower.accept(master);
    }
  }
}
