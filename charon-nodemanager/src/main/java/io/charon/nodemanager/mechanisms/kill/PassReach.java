/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.killer.client.ContainerSample;
import io.charon.killer.client.KernelKiller;
import io.charon.killer.client.KernelKillerException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Whether the kernel killer's passes reach every container. A walk that ends before it has seen all
 * cgroups, and a registration that the kernel ignores, leave a container without samples while
 * others have them: nobody sees its thrash, and nobody can choose it. Not thread-safe.
 */
final class PassReach {
  private final LongSupplier nanoClock;
  private final Map<Long, Long> knownSinceNanos = new HashMap<>();
  private long newestPassNanos;

  /**
   * Knows of no pass yet.
   *
   * @param nanoClock monotonic nanoseconds, the clock of the kernel's samples
   */
  PassReach(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Looks at the newest sample of each container. The pass that it is measured by is the newest
   * that the call before this one saw, so it has long ended.
   *
   * @param containers cgroup ids of those that are registered, by container id
   * @return a container that the pass did not reach, if there is one
   * @throws KernelKillerException if samples cannot be read
   */
  Optional<String> missed(KernelKiller killer, Map<String, Long> containers)
      throws KernelKillerException {
    knownSinceNanos.keySet().retainAll(containers.values());
    long passNanos = newestPassNanos;
    Optional<String> missed = Optional.empty();
    for (Map.Entry<String, Long> container : containers.entrySet()) {
      long cgroup = container.getValue();
      long sinceNanos = knownSinceNanos.computeIfAbsent(cgroup, id -> nanoClock.getAsLong());
      List<ContainerSample> samples = killer.samples(cgroup);
      long lastNanos = samples.isEmpty() ? 0 : samples.get(samples.size() - 1).nanos();
      if (sinceNanos < passNanos && lastNanos < passNanos) {
        missed = Optional.of(container.getKey());
      }
      newestPassNanos = Math.max(newestPassNanos, lastNanos);
    }
    return missed;
  }

  /** Another killer was loaded. */
  void forget() {
    knownSinceNanos.clear();
    newestPassNanos = 0;
  }
}
