/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.doctor;

import io.charon.nodemanager.cgroup.CpusetWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks whether this user may do what a launch does: create a cgroup and move a process into it. A
 * process is really moved, because the permissions of the directory are not sufficient: on cgroup
 * v2, the user needs write access to {@code cgroup.procs} of the common ancestor of the process's
 * old and new cgroups.
 */
final class CgroupWriteCheck implements Check {
  private static final String NAME = "cgroup permission";
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final Duration RETRY = Duration.ofMillis(10);

  private final KernelFiles kernel;
  private final String charonPath;
  private final String probeName;
  private final ProbeProcess.Starter starter;
  private final String user;

  /**
   * Creates a check below one path.
   *
   * @param kernel the kernel's files
   * @param charonPath value of {@code yarn.nodemanager.charon.cgroup.path}
   * @param probeName name of the cgroup that is created and removed; must not exist
   * @param starter starts the process that is moved
   * @param user name of this user
   */
  CgroupWriteCheck(
      KernelFiles kernel,
      String charonPath,
      String probeName,
      ProbeProcess.Starter starter,
      String user) {
    this.kernel = kernel;
    this.charonPath = charonPath;
    this.probeName = probeName;
    this.starter = starter;
    this.user = user;
  }

  @Override
  public CheckResult run() {
    CgroupMounts mounts = CgroupMounts.read(kernel);
    Set<Path> parents = parents(mounts);
    if (parents.isEmpty()) {
      return CheckResult.missing(
          NAME,
          "there is no memory controller in which to create a cgroup",
          "see cgroup controllers");
    }
    List<String> refused = new ArrayList<>();
    for (Path parent : parents) {
      probe(parent, mounts.version())
          .ifPresent(reason -> refused.add(parent + " (" + reason + ")"));
    }
    if (refused.isEmpty()) {
      return CheckResult.ok(
          NAME,
          "user %s may create cgroups in %s, and move processes of this cgroup into them"
              .formatted(user, join(parents)));
    }
    return CheckResult.missing(
        NAME,
        "user %s may not create cgroups in %s and move processes into them"
            .formatted(user, String.join(", ", refused)),
        mounts.version() == 2 ? cureOnV2() : cureOnV1());
  }

  private String cureOnV1() {
    return "run the NodeManager as root, or give its user its own directory: mkdir DIR"
        + charonPath
        + " && chown -R yarn DIR"
        + charonPath
        + " for each controller's mount point DIR";
  }

  private String cureOnV2() {
    return ("as root: ua-killer tree add %s --user %s; start the NodeManager in %s/nodemanager"
            + " (docs/install.md), and run doctor there, as its user")
        .formatted(charonPath, user, charonPath);
  }

  private Set<Path> parents(CgroupMounts mounts) {
    Set<Path> parents = new LinkedHashSet<>();
    for (String controller : List.of("memory", "cpu", "cpuset")) {
      mounts.mountOf(controller).map(this::parentBelow).ifPresent(parents::add);
    }
    return parents;
  }

  /**
   * Returns Charon's own cgroup if it exists, else the mount point in which it would be created.
   */
  private Path parentBelow(Path mount) {
    Path own = mount.resolve(charonPath.replaceFirst("^/+", ""));
    return Files.isDirectory(own) ? own : mount;
  }

  private Optional<String> probe(Path parent, int version) {
    Path cgroup = parent.resolve(probeName);
    try {
      Files.createDirectory(cgroup);
    } catch (IOException e) {
      return Optional.of(Reasons.of(e));
    }
    Optional<String> refusal;
    try (ProbeProcess process = starter.start()) {
      refusal = move(process, cgroup, version);
    } catch (IOException e) {
      refusal = Optional.of("cannot start a sleep process for the test: " + Reasons.of(e));
    }
    Optional<String> left = remove(cgroup);
    return refusal.or(() -> left);
  }

  private Optional<String> move(ProbeProcess process, Path cgroup, int version) {
    try {
      if (version == 1 && Files.exists(cgroup.resolve("cpuset.cpus"))) {
        CpusetWriter.inherit(cgroup);
      }
      String places = process.enter(cgroup);
      return places.lines().anyMatch(place -> place.endsWith("/" + probeName))
          ? Optional.empty()
          : Optional.of("the process was not moved; /proc says it is in " + places.strip());
    } catch (IOException e) {
      String rule =
          version == 2
              ? ": on cgroup v2 this needs write access to cgroup.procs of the common ancestor of "
                  + "this cgroup and the one that the process comes from"
              : "";
      return Optional.of("a process cannot be moved into a cgroup: " + Reasons.of(e) + rule);
    }
  }

  /**
   * Removes the cgroup, with retries: the process has ended, but leaves the cgroup a moment later.
   */
  private static Optional<String> remove(Path cgroup) {
    long began = System.nanoTime();
    while (true) {
      try {
        Files.delete(cgroup);
        return Optional.empty();
      } catch (IOException e) {
        if (System.nanoTime() - began > TIMEOUT.toNanos()) {
          return Optional.of(cgroup + " cannot be removed: " + Reasons.of(e));
        }
      }
      try {
        Thread.sleep(RETRY.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Optional.of("interrupted; remove " + cgroup);
      }
    }
  }

  private static String join(Set<Path> paths) {
    return String.join(", ", paths.stream().map(Path::toString).toList());
  }
}
