/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Whether this user may create cgroups where Charon would: it creates one and removes it again. */
final class CgroupWriteCheck implements Check {
  private static final String NAME = "cgroup permission";

  private final KernelFiles kernel;
  private final String charonPath;
  private final String probeName;

  /**
   * Checks below one path.
   *
   * @param kernel the kernel's files
   * @param charonPath value of {@code yarn.nodemanager.charon.cgroup.path}
   * @param probeName name of the cgroup that is created and removed; must not exist
   */
  CgroupWriteCheck(KernelFiles kernel, String charonPath, String probeName) {
    this.kernel = kernel;
    this.charonPath = charonPath;
    this.probeName = probeName;
  }

  @Override
  public CheckResult run() {
    Set<Path> parents = parents(CgroupMounts.read(kernel));
    if (parents.isEmpty()) {
      return CheckResult.missing(
          NAME, "there is no memory controller to create a cgroup in", "see cgroup controllers");
    }
    List<String> refused = new ArrayList<>();
    for (Path parent : parents) {
      probe(parent).ifPresent(reason -> refused.add(parent + " (" + reason + ")"));
    }
    if (refused.isEmpty()) {
      return CheckResult.ok(NAME, "may create cgroups in " + join(parents));
    }
    return CheckResult.missing(
        NAME,
        "may not create cgroups in " + String.join(", ", refused),
        "run the NodeManager as root, or give its user a directory of its own: mkdir DIR"
            + charonPath
            + " && chown -R yarn DIR"
            + charonPath
            + " for each controller's mount point DIR");
  }

  private Set<Path> parents(CgroupMounts mounts) {
    Set<Path> parents = new LinkedHashSet<>();
    for (String controller : List.of("memory", "cpu", "cpuset")) {
      mounts.mountOf(controller).map(this::parentBelow).ifPresent(parents::add);
    }
    return parents;
  }

  /**
   * Charon's own cgroup if it is there already, else the mount point in which it would be created.
   */
  private Path parentBelow(Path mount) {
    Path own = mount.resolve(charonPath.replaceFirst("^/+", ""));
    return Files.isDirectory(own) ? own : mount;
  }

  private Optional<String> probe(Path parent) {
    Path probe = parent.resolve(probeName);
    try {
      Files.createDirectory(probe);
      Files.delete(probe);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(Reasons.of(e));
    }
  }

  private static String join(Set<Path> paths) {
    return String.join(", ", paths.stream().map(Path::toString).toList());
  }
}
