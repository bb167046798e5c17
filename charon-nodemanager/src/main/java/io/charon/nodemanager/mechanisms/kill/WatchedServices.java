/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.core.law.memorylimit.Holder;
import io.charon.nodemanager.cgroup.CgroupPatterns;
import io.charon.nodemanager.config.MemoryLimitSettings.Service;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The services outside YARN that the kernel killer watches: those that the operator names for it,
 * and those with an entitlement to memory.
 */
public final class WatchedServices {
  private final WatchedCgroups cgroups;
  private final CgroupPatterns named;
  private final Supplier<List<Service>> entitled;

  /**
   * Creates a finder.
   *
   * @param cgroups where the node's containers are
   * @param named patterns of cgroups that are watched without an entitlement
   * @param entitled services with entitlements; those outside the killer's domain are not watched
   */
  public WatchedServices(
      WatchedCgroups cgroups, List<String> named, Supplier<List<Service>> entitled) {
    this.cgroups = cgroups;
    this.named = new CgroupPatterns(cgroups.hierarchy(), named);
    this.entitled = entitled;
  }

  /**
   * Returns the entitlement of each service that exists now, in bytes; 0 if it has none, or is
   * entitled to all that it uses, so that no use is too little.
   *
   * @param domain the root of the killer's domain
   */
  Map<Path, Long> find(Path domain) {
    Map<Path, Long> found = new TreeMap<>();
    for (Service service : entitled.get()) {
      long bytes = service.rightBytes() == Holder.ALL ? 0 : service.rightBytes();
      new CgroupPatterns(cgroups.hierarchy(), List.of(service.pattern()))
          .find().stream()
              .filter(cgroup -> isService(cgroup, domain))
              .forEach(cgroup -> found.putIfAbsent(cgroup, bytes));
    }
    named.find().forEach(cgroup -> found.putIfAbsent(cgroup, 0L));
    return found;
  }

  private boolean isService(Path cgroup, Path domain) {
    return cgroup.startsWith(domain)
        && !cgroups.containers().startsWith(cgroup)
        && !cgroup.startsWith(cgroups.containers());
  }
}
