/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.mechanisms.kill;

import io.charon.core.law.memorylimit.Holder;
import io.charon.nodemanager.cgroup.CgroupPatterns;
import io.charon.nodemanager.config.KernelKillerSettings;
import io.charon.nodemanager.config.MemoryLimitKeys;
import io.charon.nodemanager.config.MemoryLimitSettings.Service;
import io.charon.nodemanager.sensor.EntitledServices;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The services outside YARN that the kernel killer watches: those that the operator names for it,
 * and those with an entitlement to memory. Of nested cgroups the kernel counts only the outermost
 * one, so what lies above or below a service with an entitlement is not watched by itself: the
 * entitlement would be lost. Not thread-safe.
 */
public final class WatchedServices {
  private static final Logger LOG = LoggerFactory.getLogger(WatchedServices.class);

  /**
   * A watched service.
   *
   * @param key the configuration key that names it
   * @param entitledBytes its entitlement; 0 if it has none, or is entitled to all that it uses, so
   *     that no use is too little
   */
  record Watched(String key, long entitledBytes) {}

  private final WatchedCgroups cgroups;
  private final CgroupPatterns named;
  private final Supplier<List<Service>> entitled;
  private final Set<Path> overlaps = new HashSet<>();

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
   * Returns the services that exist now.
   *
   * @param domain the root of the killer's domain
   */
  Map<Path, Watched> find(Path domain) {
    Map<Path, Watched> found = new TreeMap<>();
    EntitledServices services =
        EntitledServices.find(
            cgroups.hierarchy(), entitled.get(), cgroup -> isService(cgroup, domain));
    services
        .entitledBytes()
        .forEach(
            (cgroup, bytes) ->
                found.put(
                    cgroup,
                    new Watched(MemoryLimitKeys.SERVICES, bytes == Holder.ALL ? 0 : bytes)));
    for (Path cgroup : named.find()) {
      Optional<Path> service = services.overlapping(cgroup);
      service.ifPresent(other -> nameOverlap(cgroup, other));
      if (service.isEmpty()) {
        found.putIfAbsent(cgroup, new Watched(KernelKillerSettings.WATCHED_CGROUPS, 0));
      }
    }
    return found;
  }

  private void nameOverlap(Path cgroup, Path service) {
    if (overlaps.add(cgroup)) {
      LOG.warn(
          "{} names {}, and {} names {}: of the two, one of which lies below the other, the kernel"
              + " killer watches only the second one, which has an entitlement; name neither above"
              + " nor below it",
          KernelKillerSettings.WATCHED_CGROUPS,
          cgroup,
          MemoryLimitKeys.SERVICES,
          service);
    }
  }

  private boolean isService(Path cgroup, Path domain) {
    return cgroup.startsWith(domain)
        && !cgroups.containers().startsWith(cgroup)
        && !cgroup.startsWith(cgroups.containers());
  }
}
