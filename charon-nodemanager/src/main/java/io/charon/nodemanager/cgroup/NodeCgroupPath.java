/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */
package io.charon.nodemanager.cgroup;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Where below the mount points a node has its containers' cgroups. */
public final class NodeCgroupPath {
  /** In place of a path: the tree that this process was started in. */
  public static final String AUTOMATIC = "auto";

  /** Where nothing else is known. */
  public static final String ELSEWHERE = "/charon";

  private static final String KEY = "yarn.nodemanager.charon.cgroup.path";

  /** As {@code ua-killer tree add} makes it, or systemd's {@code DelegateSubgroup=}. */
  private static final String HOME = "nodemanager";

  private NodeCgroupPath() {}

  /**
   * Refuses what is valid on no machine.
   *
   * @param configured {@link #AUTOMATIC}, or a path such as /charon: absolute, not "/", without
   *     empty, "." and ".." segments
   * @throws CgroupException naming key, value and what is allowed
   */
  public static void check(String configured) throws CgroupException {
    boolean valid =
        configured.startsWith("/")
            && configured.length() > 1
            && Arrays.stream(configured.substring(1).split("/", -1))
                .noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
    valid &= configured.chars().noneMatch(Character::isISOControl);
    if (!valid && !configured.equals(AUTOMATIC)) {
      throw new CgroupException(
          KEY
              + " is '"
              + CgroupLayout.printable(configured)
              + "': give auto, or an absolute cgroup path such as /charon, without empty, '.' or '..' parts");
    }
  }

  static String of(String configured, CgroupMount memoryMount, Optional<Path> self)
      throws CgroupException {
    String path = configured.equals(AUTOMATIC) ? ownTree(memoryMount, self) : configured;
    check(path);
    return path;
  }

  /**
   * On version 2 a user moves processes inside of one tree only, and a service's limits and
   * accounting hold for what is below it: so containers go beside this process's own cgroup.
   */
  private static String ownTree(CgroupMount mount, Optional<Path> self) {
    Optional<Path> tree =
        self.filter(own -> mount.version() == CgroupVersion.V2)
            .filter(own -> own.endsWith(HOME))
            .map(Path::getParent)
            .filter(parent -> !parent.equals(mount.mountPoint()));
    if (tree.isEmpty()) {
      return ELSEWHERE;
    }
    // It is root's, in a unit that is the user's.
    Path rooted = tree.get().resolve(ELSEWHERE.substring(1));
    return "/" + mount.mountPoint().relativize(Files.isDirectory(rooted) ? rooted : tree.get());
  }
}
