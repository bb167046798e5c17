/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The mount points of this machine's cgroup controllers.
 *
 * @param v1 mount point of each cgroup v1 controller
 * @param v2 mount point of the cgroup v2 hierarchy
 * @param v2Controllers controllers of the v2 hierarchy; freezing is part of v2 itself
 */
record CgroupMounts(Map<String, Path> v1, Optional<Path> v2, Set<String> v2Controllers) {
  /** The controllers that Charon uses. */
  static final List<String> USED = List.of("cpu", "cpuset", "freezer", "memory");

  static CgroupMounts read(KernelFiles kernel) {
    Map<String, Path> v1 = new TreeMap<>();
    Optional<Path> v2 = Optional.empty();
    for (Mount mount : kernel.mounts()) {
      if (mount.type().equals("cgroup")) {
        mount.options().stream()
            .filter(USED::contains)
            .forEach(name -> v1.put(name, mount.point()));
      } else if (mount.type().equals("cgroup2")) {
        v2 = Optional.of(mount.point());
      }
    }
    Set<String> v2Controllers = new HashSet<>();
    v2.flatMap(point -> kernel.read(point.resolve("cgroup.controllers")))
        .ifPresent(
            names -> {
              v2Controllers.addAll(List.of(names.split("\\s+", -1)));
              v2Controllers.add("freezer");
            });
    return new CgroupMounts(v1, v2, v2Controllers);
  }

  /** The cgroup version that has the memory controller: 1 or 2, or 0 if none has it. */
  int version() {
    if (v1.containsKey("memory")) {
      return 1;
    }
    return v2Controllers.contains("memory") ? 2 : 0;
  }

  /** Where a controller's hierarchy is mounted, in the version that is in use. */
  Optional<Path> mountOf(String controller) {
    if (version() == 2) {
      return v2Controllers.contains(controller) ? v2 : Optional.empty();
    }
    return Optional.ofNullable(v1.get(controller));
  }
}
