/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.sensor;

import io.charon.nodemanager.cgroup.CgroupPatterns;
import io.charon.nodemanager.config.MemoryLimitSettings.Service;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The services outside YARN that are entitled to memory, as they exist now. A cgroup's use includes
 * that of all below it, so an entitlement does, too: of two services one of which lies below the
 * other, only the outer one counts.
 *
 * @param entitledBytes the entitlement of each service by its cgroup; Long.MAX_VALUE: all that it
 *     uses
 * @param nested the named cgroups that do not count, each with the service that includes it
 */
public record EntitledServices(Map<Path, Long> entitledBytes, Map<Path, Path> nested) {

  /**
   * Finds the services. Where several patterns match one cgroup, the first one counts.
   *
   * @param hierarchy the mount point of the memory hierarchy
   * @param named patterns of services with their entitlements
   * @param isService tells services from other cgroups, such as those of containers
   */
  public static EntitledServices find(
      Path hierarchy, List<Service> named, Predicate<Path> isService) {
    Map<Path, Long> all = new TreeMap<>();
    for (Service service : named) {
      new CgroupPatterns(hierarchy, List.of(service.pattern()))
          .find().stream()
              .filter(isService)
              .forEach(cgroup -> all.putIfAbsent(cgroup, service.rightBytes()));
    }
    EntitledServices found = new EntitledServices(new TreeMap<>(), new TreeMap<>());
    // A cgroup precedes those below it.
    all.forEach(
        (cgroup, bytes) ->
            found
                .including(cgroup)
                .ifPresentOrElse(
                    outer -> found.nested.put(cgroup, outer),
                    () -> found.entitledBytes.put(cgroup, bytes)));
    return found;
  }

  /** Returns a service that lies above or below a cgroup; empty if there is none. */
  public Optional<Path> overlapping(Path cgroup) {
    return including(cgroup)
        .or(
            () ->
                entitledBytes.keySet().stream()
                    .filter(service -> service.startsWith(cgroup) && !service.equals(cgroup))
                    .findFirst());
  }

  private Optional<Path> including(Path cgroup) {
    for (Path outer = cgroup.getParent(); outer != null; outer = outer.getParent()) {
      if (entitledBytes.containsKey(outer)) {
        return Optional.of(outer);
      }
    }
    return Optional.empty();
  }
}
